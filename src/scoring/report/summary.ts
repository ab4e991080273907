import type { CheckResult, ComplianceFinding } from '../../model/scorecard.ts';
import type { Turn } from '../conversation/conversation.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { capitalize, clock, lowerFirst } from '../messages/format.ts';
import { titleIn } from '../messages/messages.ts';
import type { StandardKey } from '../messages/terms.ts';
import { partOfName } from '../facts/naming.ts';
import { describeNeed } from './need-text.ts';
import type { ReportInput } from './input.ts';
import { quoted } from './speech.ts';
import { isUnlikely, likelyOutcome, mainResult, resultRange, saidIn } from './results-said.ts';
import { lastObjection } from './stance.ts';
import { isClean } from './trust.ts';

/** Three to seven plain sentences: what was wanted, what the agent did, how it ended, what went well or cost points. */
export function writeSummary(input: ReportInput): string {
  const { facts } = input;
  const silent = silence(facts);
  if (silent !== null) return silent;
  const told = input.model?.texts.summary ?? [];
  const { doubt, mixture } = facts.languages;
  const own =
    doubt === null
      ? [mixture ?? '', describeNeed(facts), approach(input), outcome(input), reaction(input)]
      : [facts.messages.summary.unretold(doubt)];
  const story = told.length > 0 ? told : own;
  return [...story, ...judgement(input), compliance(input)]
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}

/** Drawn-out hums ("ummm", "ähhm"): reading a text drops only the short ones. */
const DRAWN_OUT = /^(?:u+h*m+h*|u+h+|e+[hr]*m*|a+h+m*|h*m+h*|o+h+|[эа]+м*|м+)$/u;

function silence(facts: CallFacts): string | null {
  const { conversation, messages } = facts;
  const say = messages.summary;
  if (conversation.agentTurns.length > 0) return null;
  const told = conversation.turns.filter(({ tokens }) => !tokens.every(({ word }) => DRAWN_OUT.test(word)));
  const [first] = told;
  if (!first) return say.nothingSaid;
  const said = (turn: Turn): string => quoted(facts, turn, 24);
  if (told.every(({ role }) => role === 'ivr')) return say.announcement(said(first));
  const customer = told.find(({ role }) => role === 'customer');
  return customer && conversation.areSpeakersKnown ? say.noAgent(said(customer)) : say.unknownVoices(said(first));
}

/** By name where that is known from the record, or was heard for sure: a misheard one would be somebody else. */
export function agentLabel({ findings, facts }: Pick<ReportInput, 'findings' | 'facts'>): string {
  return agentNameIn({ findings, facts }) ?? facts.messages.summary.agent;
}

export function agentNameIn({ findings, facts }: Pick<ReportInput, 'findings' | 'facts'>): string | null {
  const { conversation, naming, agentName } = facts;
  const spoken = naming.nameAt === null ? undefined : conversation.tokens[naming.nameAt];
  if (!spoken || findings.size === 0 || !/^\p{L}{2,}$/u.test(spoken.word)) return null;
  const known = partOfName(agentName ?? '', spoken.word);
  if (known !== undefined) return capitalize(known);
  if (!isClean(conversation, { from: spoken.at, to: spoken.at + 1 })) return null;
  // As it is written, with its accents.
  return capitalize(spoken.utterance.segment.text.slice(spoken.from, spoken.to));
}

function approach(input: ReportInput): string {
  const { findings, facts } = input;
  const say = facts.messages.summary.approach;
  const understood = findings.get('problem.understood');
  const way = understood?.answer === 'pass' ? understood.way : undefined;
  const isConfirmed = findings.get('problem.details')?.answer === 'pass';
  const who = agentLabel(input);
  if (way === 'asked') return (isConfirmed ? say.askedAndConfirmed : say.asked)(who);
  if (way === 'restated') return (isConfirmed ? say.restatedAndConfirmed : say.restated)(who);
  return isConfirmed ? say.confirmed(who) : '';
}

function outcome(input: ReportInput): string {
  const { facts, findings } = input;
  const say = facts.messages.summary.outcome;
  const resolved = findings.get('problem.resolved');
  const result = mainResult(facts);
  if (resolved?.answer === 'not_applicable') return '';
  if (resolved?.answer === 'fail') return say.none;
  if (resolved?.answer === 'needs_review') return openOutcome(input, resolved);
  if (resolved?.isByModel || !result || isUnlikely(facts, result)) return shownOutcome(input, resolved);
  const range = resultRange(facts, result);
  const words = range.to > range.from ? `: ${quoted(facts, range)}` : '';
  const at = clock(facts.conversation.tokens[result.from]?.utterance.segment.startMs ?? 0);
  const tell = result.kind === 'done' ? say.done : result.kind === 'answer' ? say.answered : say.next;
  return tell(agentLabel(input), at, words);
}

/** What the agent most likely left it at, in their words, else where to listen: whether that is a result is for a person. */
function openOutcome(input: ReportInput, resolved: Finding): string {
  const { facts } = input;
  const say = facts.messages.summary.outcome;
  const said = likelyOutcome(facts, resolved);
  const startMs = said && facts.conversation.tokens[said.from]?.utterance.segment.startMs;
  if (said && startMs !== null && startMs !== undefined)
    return say.openAfter(agentLabel(input), clock(startMs), quoted(facts, said, 30));
  const [shown] = resolved.evidence;
  return say.open(shown ? clock(shown.startMs) : null);
}

/** What something else than the rules found, with the words that most likely are it. */
function shownOutcome(input: ReportInput, resolved: Finding | undefined): string {
  const { facts } = input;
  const say = facts.messages.summary.outcome;
  if (!resolved) return say.none;
  const said = likelyOutcome(facts, resolved);
  const startMs = said
    ? facts.conversation.tokens[said.from]?.utterance.segment.startMs
    : resolved.evidence[0]?.startMs;
  if (startMs === undefined) return '';
  const tell = resolved.answer === 'partial' ? say.next : say.done;
  return tell(agentLabel(input), clock(startMs), said ? `: ${quoted(facts, said, 26)}` : '');
}

function reaction({ findings, facts }: ReportInput): string {
  const say = facts.messages.summary.reaction;
  const accepted = findings.get('problem.accepted');
  const objection = lastObjection(facts, accepted);
  const evidence = objection ? [{ segmentId: objection.segment.id }] : (accepted?.evidence ?? []);
  const words = saidIn(facts, { evidence }, 16);
  const said = words === null ? '' : ` (${words})`;
  switch (accepted?.answer) {
    case 'pass':
      return say.accepted(said);
    case 'partial':
      return say.reserved(said);
    case 'fail':
      return objection ? say.objected(said) : say.silent;
    case 'not_applicable':
      return say.unheard;
    default:
      return '';
  }
}

const THINGS_MAX = 4;

/** What the score rests on: the checks that were missed, in words, or what was done well, and what is left to a person. */
function judgement({ checks, scores, facts, findings }: ReportInput): string[] {
  const say = facts.messages.summary.verdict;
  const missed = checks.filter(({ answer, weight }) => (answer === 'fail' || answer === 'partial') && weight > 0);
  const critical = missed.find((check) => check.critical && check.answer === 'fail');
  if (scores.qualityScore === null) {
    const none = scores.judgedShare === null ? say.inapplicable : say.unscored(scores.needsReviewCount);
    return critical ? [none, say.alsoCritical(critical.rationale)] : [none];
  }
  const nameOf = (check: CheckResult): string => nounFor(facts, check);
  const open = checks
    .filter(({ answer, weight }) => answer === 'needs_review' && weight > 0)
    .map((check) => {
      const atMs = findings.get(check.key)?.atMs ?? check.evidence[0]?.startMs;
      return atMs === undefined ? nameOf(check) : say.at(nameOf(check), clock(atMs));
    });
  const left = open.length === 0 ? [] : [say.left(open.slice(0, THINGS_MAX), open.length > THINGS_MAX)];
  if (missed.length === 0) return [open.length === 0 ? say.allMet : say.judgedMet, ...left];
  const others = missed.filter((check) => check !== critical).toSorted((a, b) => lost(b) - lost(a));
  const names = others.slice(0, THINGS_MAX).map(nameOf);
  const isMore = others.length > THINGS_MAX;
  if (!critical) return [say.lost(names, isMore), ...left];
  return [say.capped(critical.rationale), ...(names.length === 0 ? [] : [say.alsoLost(names, isMore)]), ...left];
}

/** A check of the standard rubric as a thing that a call can lack; others by their title. */
function nounFor({ messages }: CallFacts, { key, title }: CheckResult): string {
  const { nouns } = messages.summary;
  if (isStandard(nouns, key)) return nouns[key];
  const named = titleIn(messages, title);
  return messages.answers.quote(messages.language === 'en' ? lowerFirst(named) : named);
}

function isStandard(nouns: Record<StandardKey, string>, key: string): key is StandardKey {
  return Object.hasOwn(nouns, key);
}

function lost({ weight, score }: CheckResult): number {
  return weight * (100 - (score ?? 100));
}

/** What fails compliance is a fact; what a person has still to judge is told as possible. */
function compliance({ complianceFindings, findings, facts }: ReportInput): string {
  const { verdict: say } = facts.messages.summary;
  const told = (some: readonly ComplianceFinding[], tell: (parts: readonly string[]) => string): string[] => {
    const parts = some.map(({ key, rationale }) => {
      const atMs = findings.get(key)?.atMs;
      return atMs === undefined ? rationale.replace(/\.$/u, '') : say.at(rationale, clock(atMs));
    });
    return parts.length === 0 ? [] : [tell(parts)];
  };
  const broken = complianceFindings.filter(({ answer }) => answer === 'fail');
  const [sure, possible] = [broken.filter(failsCompliance), broken.filter((each) => !failsCompliance(each))];
  const open = complianceFindings.filter(({ answer }) => answer === 'needs_review');
  return [...told(sure, say.compliance), ...told(possible, say.possibleBreach), ...told(open, say.openCompliance)].join(
    '. ',
  );
}

function failsCompliance({ severity }: ComplianceFinding): boolean {
  return severity === 'high';
}
