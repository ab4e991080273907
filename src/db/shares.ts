import { AppError } from '../lib/errors.ts';
import { countShareRefusal } from '../lib/metrics.ts';
import type { Wait } from './deadline.ts';

export type Shares = {
  /**
   * Runs `work` while `orgId` holds one of the connections. Throws SERVICE_UNAVAILABLE if too many tasks of the
   * organization are waiting, or if it got no connection in time because it holds its share.
   */
  hold<T>(orgId: string, work: () => Promise<T>, wait?: Wait): Promise<T>;
};

type Holder = { held: number; waiting: (() => void)[] };
type State = {
  free: number;
  /** The most recently served organization comes last. */
  holders: Map<string, Holder>;
  waitingMax: number;
};

/** How many tasks one organization may have waiting; more would only be refused later. */
const waitingMaxDefault = 500;
const retryAfterSeconds = '2';

/**
 * Shares out `count` connections: an organization may take another one while it holds fewer than are free (dynamic
 * thresholds: Choudhury and Hahne, 1998). So a single organization gets half of them, two get a third each, and there
 * is always one for the next. Waiting organizations take turns, each in its own order.
 */
export function createShares(count: number, { waitingMax = waitingMaxDefault } = {}): Shares {
  const state: State = { free: count, holders: new Map(), waitingMax };
  return {
    async hold(orgId, work, wait) {
      const turn = take(state, orgId, wait);
      if (turn) await turn;
      try {
        return await work();
      } finally {
        give(state, orgId);
      }
    },
  };
}

function take(state: State, orgId: string, wait: Wait | undefined): Promise<void> | undefined {
  const holder = holderOf(state, orgId);
  if (holder.waiting.length === 0 && holder.held < state.free) {
    holder.held += 1;
    state.free -= 1;
    return undefined;
  }
  if (holder.waiting.length >= state.waitingMax) throw busy('too much of it waits already');
  return new Promise((resolve) => {
    holder.waiting.push(resolve);
    wait?.onExpired(() => {
      holder.waiting = holder.waiting.filter((waiting) => waiting !== resolve);
      forget(state, orgId);
      return holder.held > 0 ? busy('none of its connections became free in time') : undefined;
    });
  });
}

function give(state: State, orgId: string): void {
  holderOf(state, orgId).held -= 1;
  state.free += 1;
  serve(state);
  forget(state, orgId);
}

/** A served organization moves to the end of the map, where this loop meets it again. */
function serve(state: State): void {
  const { holders } = state;
  for (const [orgId, holder] of holders) {
    if (state.free === 0) return;
    if (holder.held >= state.free) continue;
    const next = holder.waiting.shift();
    if (!next) continue;
    holder.held += 1;
    state.free -= 1;
    holders.delete(orgId);
    holders.set(orgId, holder);
    next();
  }
}

function holderOf({ holders }: State, orgId: string): Holder {
  const known = holders.get(orgId);
  if (known) return known;
  const holder: Holder = { held: 0, waiting: [] };
  holders.set(orgId, holder);
  return holder;
}

function forget(state: State, orgId: string): void {
  const { held, waiting } = holderOf(state, orgId);
  if (held === 0 && waiting.length === 0) state.holders.delete(orgId);
}

function busy(internal: string): AppError {
  countShareRefusal();
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Too many requests of your organization are running at once. Try again shortly.',
    {
      headers: { 'Retry-After': retryAfterSeconds },
      internal: `the organization holds its share of the connections, and ${internal}`,
    },
  );
}
