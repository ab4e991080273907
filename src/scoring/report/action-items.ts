import type { CallFacts } from '../facts/facts.ts';
import { clock } from './format.ts';
import type { ReportInput } from './input.ts';
import { describeNeed } from './need-text.ts';
import { mainResult, resultRange } from './summary.ts';
import { quoted } from './speech.ts';

const ITEMS_MAX = 6;

/** What is still to be done after the call: promised steps, open requests, findings that need somebody's eye. */
export function findActionItems(input: ReportInput): string[] {
  const { facts, findings, complianceFindings } = input;
  if (facts.conversation.agentTurns.length === 0) return callBack(facts);
  const promised = input.model?.texts.actionItems ?? [];
  const items = promised.length > 0 || facts.languages.doubt !== null ? [...promised] : promises(facts);
  if (findings.get('problem.resolved')?.answer === 'fail') {
    items.push(`Contact the customer, whose request is still open. ${describeNeed(facts).replace(/\.$/u, '')}.`);
  } else if (findings.get('problem.accepted')?.answer === 'fail' && mainResult(facts)) {
    items.push('Contact the customer: they did not accept the outcome.');
  }
  for (const { key, title, answer } of complianceFindings) {
    const atMs = findings.get(key)?.atMs;
    const recording = atMs === undefined ? 'the recording' : `the recording at ${clock(atMs)}`;
    if (answer === 'fail') items.push(`Review ${recording} with the agent: “${title}” was broken.`);
    if (answer === 'needs_review') items.push(`Listen to ${recording} to decide on “${title}”.`);
  }
  return [...new Set(items)].slice(0, ITEMS_MAX);
}

/** Steps that the agent promises and that nothing later in the call reports as done. */
function promises(facts: CallFacts): string[] {
  const { conversation, results } = facts;
  const lastDone = results.findLast(({ kind }) => kind === 'done')?.from ?? -1;
  const seen = new Set<number>();
  return results
    .filter(({ kind, from }) => kind === 'next' && from > lastDone)
    .flatMap((result) => {
      const range = resultRange(facts, result);
      const token = conversation.tokens[result.from];
      if (!token || range.to <= range.from || seen.has(range.to)) return [];
      seen.add(range.to);
      const isCustomers = token.word === 'you' || token.word === 'please';
      const who = isCustomers ? 'For the customer' : 'Promised';
      return [
        `${who} at ${clock(token.utterance.segment.startMs)}: ${quoted(conversation, range)}. ${isCustomers ? 'Check that they managed.' : 'Make sure that it happens.'}`,
      ];
    });
}

function callBack({ conversation, need }: CallFacts): string[] {
  if (conversation.customerTurns.length === 0) return [];
  const range = need ? { from: need.from, to: need.to } : conversation.customerTurns[0];
  return range ? [`Call the customer back: ${quoted(conversation, range, 24)}.`] : [];
}
