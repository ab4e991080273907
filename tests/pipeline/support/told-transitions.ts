import * as store from '../../../src/pipeline/engine/store-transitions.ts';
import type { Transition } from '../../../src/pipeline/engine/types.ts';
import { reach } from './kill-point.ts';

/** In the place of the engine's store-transitions.ts (step-host.ts): says what has been stored. */
export const applyTransition: typeof store.applyTransition = async (sql, lease, change) => {
  const isStored = await store.applyTransition(sql, lease, change);
  reach(`${lease.item.functionId.replace('earshot-', '')}: ${nameOf(change.transition)} stored`);
  return isStored;
};

export const saveCheckpoint: typeof store.saveCheckpoint = async (sql, lease, steps) => {
  const isHeld = await store.saveCheckpoint(sql, lease, steps);
  reach(`${steps.map(({ name }) => name).join(' and ')} stored`);
  return isHeld;
};

function nameOf(transition: Transition): string {
  if (transition.kind !== 'advance') return transition.kind;
  const invoked = transition.children.map(({ functionId }) => `call of ${functionId.replace('earshot-', '')}`);
  const waits = transition.waits.flatMap(({ kind }) => (kind === 'invoke' ? [] : [kind]));
  return [...transition.steps.map(({ name }) => name), ...invoked, ...waits].join(' and ');
}
