import { AGENT_ACTS, CUSTOMER_ACTS, type AgentAct, type CustomerAct } from './acts.ts';
import type { OpinionKey } from './signals.ts';
import type { Told, ToldCall } from './windows.ts';

const OUTCOMES = [
  'result_done',
  'explanation',
  'next_step',
  'next_step_vague',
  'refusal',
] as const satisfies readonly AgentAct[];
const STANCES = ['acceptance', 'acceptance_reserved', 'objection', 'thanks'] as const satisfies readonly CustomerAct[];

/** What comes of a call in its course: what was done last, what followed what. Nothing for checks that ask for one act somewhere. */
export function readCourse(key: OpinionKey, call: ToldCall): number[] {
  switch (key) {
    case 'problem.resolved':
      return [...lastOf(call, 'agent', OUTCOMES), ...lastOf(call, 'customer', STANCES), ...afterLast(call)];
    case 'problem.accepted':
      return [...lastOf(call, 'customer', STANCES), ...afterLast(call), ...lastOf(call, 'agent', OUTCOMES)];
    case 'problem.understood':
      return askedFirst(call);
    case 'problem.details':
      return confirmedShare(call);
    default:
      return [];
  }
}

const PLACES: Record<Told['role'], ReadonlyMap<string, number>> = {
  agent: new Map(AGENT_ACTS.map((act, place) => [act, place])),
  customer: new Map(CUSTOMER_ACTS.map((act, place) => [act, place])),
};

function shareOf({ role, acts }: Told, act: string): number {
  return acts[PLACES[role].get(act) ?? -1] ?? 0;
}

/** How likely each of these things is the last of them that this party does, and that it does none at all. */
function lastOf({ told }: ToldCall, role: Told['role'], acts: readonly string[]): number[] {
  const last = acts.map(() => 0);
  let none = 1;
  for (const each of told.toReversed()) {
    if (each.role !== role) continue;
    const shares = acts.map((act) => shareOf(each, act));
    const some = Math.max(...shares);
    const all = shares.reduce((sum, share) => sum + share, 0);
    if (all > 0) for (const [at, share] of shares.entries()) last[at] = (last[at] ?? 0) + (none * some * share) / all;
    none *= 1 - some;
  }
  return [...last.map((share) => 2 * share), 2 * none];
}

/** The best and the worst that the customer says after the agent's likeliest result. */
function afterLast({ told }: ToldCall): number[] {
  let best = { at: -1, share: 0 };
  for (const [at, each] of told.entries()) {
    if (each.role !== 'agent') continue;
    const share = Math.max(...OUTCOMES.map((act) => shareOf(each, act)));
    if (share >= best.share * 0.9) best = { at, share };
  }
  const after = told.slice(best.at + 1).filter(({ role }) => role === 'customer');
  return STANCES.map((act) => Math.max(0, ...after.map((each) => shareOf(each, act))) * 2);
}

/** How likely the agent asks about the request, or restates it, before reporting or refusing anything. */
function askedFirst({ told }: ToldCall): number[] {
  let before = 1;
  let asked = 0;
  let most = 0;
  for (const each of told) {
    if (each.role !== 'agent') continue;
    const share = Math.max(shareOf(each, 'question_clarifying'), shareOf(each, 'restatement'));
    asked += before * (1 - asked) * share;
    most = Math.max(most, before * share);
    before *= 1 - Math.max(shareOf(each, 'result_done'), shareOf(each, 'refusal'), shareOf(each, 'next_step'));
  }
  return [2 * asked, 2 * most];
}

/** So many turns of the agent after a detail may confirm it. */
const CONFIRMED_WITHIN = 4;

/** Of the details that the customer gives, how many the agent reads back soon after, and how many there are. */
function confirmedShare({ told }: ToldCall): number[] {
  let given = 0;
  let confirmed = 0;
  let worst = 1;
  for (const [at, each] of told.entries()) {
    if (each.role !== 'customer') continue;
    const share = shareOf(each, 'detail_given');
    const next = told.slice(at + 1, at + 1 + CONFIRMED_WITHIN).filter(({ role }) => role === 'agent');
    const back = Math.max(
      0,
      ...next.map((one) => Math.max(shareOf(one, 'detail_readback'), shareOf(one, 'restatement'))),
    );
    given += share;
    confirmed += share * back;
    worst = Math.min(worst, 1 - share * (1 - back));
  }
  return [given === 0 ? 0 : (2 * confirmed) / given, Math.log1p(given), Math.log1p(confirmed), 2 * worst];
}
