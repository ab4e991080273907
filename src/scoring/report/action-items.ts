import type { CallFacts } from '../facts/facts.ts';
import { clock } from '../messages/format.ts';
import { titleIn } from '../messages/messages.ts';
import type { ReportInput } from './input.ts';
import { describeNeed } from './need-text.ts';
import { findPromises } from './promises.ts';
import { mainResult } from './results-said.ts';
import { quoted } from './speech.ts';
import { lastObjection } from './stance.ts';

const ITEMS_MAX = 6;

/** What is still to be done after the call: promised steps, open requests, findings that need somebody's eye. */
export function findActionItems(input: ReportInput): string[] {
  const { facts, findings, complianceFindings } = input;
  const say = facts.messages.tasks;
  if (facts.conversation.agentTurns.length === 0) return callBack(facts);
  const promised = input.model?.texts.actionItems ?? [];
  const items = promised.length > 0 || facts.languages.doubt !== null ? [...promised] : promises(facts);
  const resolved = findings.get('problem.resolved');
  const accepted = findings.get('problem.accepted');
  if (resolved?.answer === 'fail') items.push(say.openRequest(describeNeed(facts)));
  else if (accepted?.answer === 'fail' && (lastObjection(facts, accepted) || mainResult(facts)))
    items.push(say.notAccepted);
  for (const { key, title, answer, severity } of complianceFindings) {
    const atMs = findings.get(key)?.atMs;
    const at = atMs === undefined ? null : clock(atMs);
    // What is not of high severity is told as possible, here as in the summary.
    const isBroken = answer === 'fail' && severity === 'high';
    if (isBroken) items.push(say.breach(titleIn(facts.messages, title), at));
    else if (answer === 'fail' || answer === 'needs_review') items.push(say.decide(titleIn(facts.messages, title), at));
  }
  return [...new Set(items)].slice(0, ITEMS_MAX);
}

function promises(facts: CallFacts): string[] {
  const { tasks } = facts.messages;
  return findPromises(facts).map(({ from, to, startMs, isCustomers }) =>
    (isCustomers ? tasks.forCustomer : tasks.promised)(clock(startMs), quoted(facts, { from, to }, PROMISE_WORDS_MAX)),
  );
}

const PROMISE_WORDS_MAX = 24;

function callBack(facts: CallFacts): string[] {
  const { conversation, need, messages } = facts;
  if (conversation.customerTurns.length === 0) return [];
  const range = need ? { from: need.from, to: need.to } : conversation.customerTurns[0];
  return range ? [messages.tasks.callBack(quoted(facts, range, 24))] : [];
}
