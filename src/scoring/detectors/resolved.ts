import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quoteFairly, quotePlaces } from '../findings/evidence.ts';
import { clauseEnd } from '../conversation/finder.ts';
import { withoutSlights } from '../accusations/slights.ts';

/** Whether the agent says that it is done, or gives what was asked for. A next step with an owner is half of it. */
export function detectResolved(facts: CallFacts): Finding {
  const { conversation, need, opening, results, ending, slights } = facts;
  const say = facts.messages.answers.resolved;
  const after = need?.from ?? 0;
  const relevant = results.filter((result) => result.from >= after || result.to > after);
  const done = relevant.findLast(({ kind }) => kind === 'done') ?? relevant.find(({ kind }) => kind === 'answer');
  if (!need && !opening.isMidCall && !done) {
    return finding('not_applicable', say.nothingAsked);
  }
  const quote = ({ from, to }: { from: number; to: number }): ReturnType<typeof quotePlaces> => {
    const end = Math.max(to, Math.min(clauseEnd(conversation.tokens, from), from + 25));
    const fair = withoutSlights(slights, { from, to: end }, to - 1);
    return fair ? quoteFairly(facts, fair) : [];
  };
  if (done) {
    return finding('pass', done.kind === 'done' ? say.done : say.answered, quote(done));
  }
  const next = relevant.findLast(({ kind }) => kind === 'next');
  if (next) return finding('partial', say.next, quote(next));
  const request = need ? quotePlaces(conversation, { from: need.from, to: Math.min(need.to, need.from + 12) }) : [];
  const atMs =
    conversation.tokens[Math.min(ending.closingFrom, conversation.tokens.length - 1)]?.utterance.segment.startMs;
  return {
    ...finding('fail', say.fail, request.slice(0, 1)),
    ...(atMs === undefined ? {} : { atMs }),
  };
}
