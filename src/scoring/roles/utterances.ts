import type { SpeakerRole } from '../../model/transcript.ts';
import { marginalsOf } from './chain.ts';
import { introduction } from './evidence.ts';
import { featuresOf, pairFeaturesOf, type UtteranceToTell } from './features.ts';
import { pairWeights } from './pair-weights.ts';
import { utteranceWeights } from './utterance-weights.ts';

/** Who is less likely than this to have said it is not named. */
const sureMin = 0.88;
/** Fewer are hardly a conversation: whoever it is may well be alone. */
const utterancesMin = 4;
/** An introduction by the name that the record has for its agent, beside which other signs hardly matter. */
const ownName = 'own name';

const weights = { utterance: { ...utteranceWeights, [ownName]: 1 }, pair: pairWeights };

/**
 * Tells agent and customer apart where one track holds both, by what they say: each utterance for itself, and as question
 * and answer, greeting and greeting follow on each other. What stays unclear is `unknown`.
 */
export function tellUtterances(utterances: readonly UtteranceToTell[], agentName: string | null): SpeakerRole[] {
  const count = utterances.length;
  if (count < utterancesMin) return utterances.map(() => 'unknown');
  const features = utterances.map((utterance, index) => {
    const points = agentName === null ? 0 : introduction(utterance.tokens, agentName);
    return new Map([...featuresOf(utterance, { index, count }), [ownName, points]]);
  });
  const pairs = utterances.slice(1).map((next, at) => pairFeaturesOf(utterances[at] ?? next, next));
  const { agent } = marginalsOf({ utterances: features, pairs }, weights);
  return agent.map((likely) => (likely >= sureMin ? 'agent' : likely <= 1 - sureMin ? 'customer' : 'unknown'));
}
