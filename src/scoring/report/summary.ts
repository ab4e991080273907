import type { CheckResult, ComplianceFinding } from '../../model/scorecard.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd } from '../conversation/finder.ts';
import type { Result } from '../facts/results.ts';
import { withoutSlights } from '../accusations/slights.ts';
import { capitalize, clock, listWords, lowerFirst } from './format.ts';
import { partOfName } from '../facts/naming.ts';
import { describeNeed } from './need-text.ts';
import type { ReportInput } from './input.ts';
import { quoted, sentenceStart } from './speech.ts';
import { isClean } from './trust.ts';

/** Three to six plain sentences: what was wanted, what the agent did, how it ended, what went well or cost points. */
export function writeSummary(input: ReportInput): string {
  const { facts } = input;
  const silent = silence(facts);
  if (silent !== null) return silent;
  const told = input.model?.texts.summary ?? [];
  const { doubt, mixture } = facts.languages;
  const own =
    doubt === null ? [mixture ?? '', describeNeed(facts), outcome(input), reaction(input)] : [unretold(doubt)];
  const story = told.length > 0 ? told : own;
  return [...story, judgement(input), compliance(input)]
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}

function unretold(doubt: string): string {
  return `${doubt}: what is said is left to a person, or to a language model`;
}

function silence({ conversation }: CallFacts): string | null {
  if (conversation.agentTurns.length > 0) return null;
  const isUnscored = 'so there is nothing to score';
  if (conversation.spoken.length === 0) return `Nothing is said in this recording, ${isUnscored}.`;
  const [first] = conversation.turns;
  const words = first ? `: ${quoted(conversation, first, 24)}` : '';
  if (conversation.spoken.every(({ role }) => role === 'ivr'))
    return `Only a recorded announcement is heard${words}. No agent speaks, ${isUnscored}.`;
  if (!conversation.areSpeakersKnown)
    return `It could not be told which voice is the agent's, ${isUnscored}. The recording begins${words}.`;
  return `No agent speaks in this recording, ${isUnscored}. The caller is heard saying${words}.`;
}

/** By name where that is known from the record, or was heard for sure: a misheard one would be somebody else. */
export function agentLabel({ findings, facts }: Pick<ReportInput, 'findings' | 'facts'>): string {
  const { conversation, naming, agentName } = facts;
  const spoken = naming.ownName
    ? conversation.tokens
        .slice(naming.ownName.from, naming.ownName.to)
        .findLast(({ word }) => word !== 'speaking' && word !== 'here')
    : undefined;
  if (!spoken || findings.size === 0 || !/^\p{L}{2,}$/u.test(spoken.word)) return 'The agent';
  const known = partOfName(agentName ?? '', spoken.word);
  if (known !== undefined) return capitalize(known);
  return isClean(conversation, { from: spoken.at, to: spoken.at + 1 }) ? capitalize(spoken.word) : 'The agent';
}

function outcome(input: ReportInput): string {
  const { facts } = input;
  const who = agentLabel(input);
  const way = approach(input);
  const resolved = answerOf(input, 'problem.resolved');
  const result = mainResult(facts);
  if (!result || resolved === 'fail') {
    if (resolved === 'not_applicable') return way === '' ? '' : `${who} ${way}`;
    return `${who} ${way === '' ? 'took the request' : way}, but the call ends without a result or a next step`;
  }
  const range = resultRange(facts, result);
  const words = range.to > range.from ? `: ${quoted(facts.conversation, range)}` : '';
  const at = clock(facts.conversation.tokens[result.from]?.utterance.segment.startMs ?? 0);
  const start = way === '' ? who : `${who} ${way.replace(' and ', ', ')} and`;
  if (result.kind === 'done') return `${start} reported the result at ${at}${words}`;
  if (result.kind === 'answer') return `${start} gave the answer at ${at}${words}`;
  return `${start} left it at a next step (${at})${words}`;
}

function approach({ findings }: ReportInput): string {
  const understood = findings.get('problem.understood');
  const details = findings.get('problem.details');
  const asked =
    understood?.answer === 'pass'
      ? /question/u.test(understood.rationale)
        ? 'asked about the request first'
        : 'said the request back'
      : '';
  const read =
    details?.answer === 'pass'
      ? 'confirmed the details'
      : details?.answer === 'partial'
        ? 'confirmed part of the details'
        : '';
  return listWords([asked, read].filter(Boolean));
}

export function mainResult({ results, need }: CallFacts): Result | undefined {
  const after = results.filter(({ to }) => to > (need?.from ?? 0));
  return (
    after.findLast(({ kind }) => kind === 'done') ??
    after.find(({ kind }) => kind === 'answer') ??
    after.findLast(({ kind }) => kind === 'next')
  );
}

/** The words of a result to show, without anything rude beside them; empty where nothing fit to show is left. */
export function resultRange(
  { conversation, questions, slights }: CallFacts,
  { from, to }: Result,
): { from: number; to: number } {
  const end = Math.max(to, clauseEnd(conversation.tokens, from));
  const question = questions.find((each) => each.from >= to && each.from < end);
  const stretch = { from: sentenceStart(conversation, from), to: question ? question.from : end };
  return withoutSlights(slights, stretch, to - 1) ?? { from: to, to };
}

function reaction({ findings, facts }: ReportInput): string {
  const accepted = findings.get('problem.accepted');
  const words = accepted?.evidence[0] ? lastWords(facts, accepted) : '';
  switch (accepted?.answer) {
    case 'pass':
      return content(words);
    case 'partial':
      return `The customer accepted with a reservation${words}`;
    case 'fail':
      return /object/u.test(accepted.rationale)
        ? `The customer left unhappy${words}`
        : 'The customer never said that this was what they wanted';
    default:
      return accepted ? 'How the customer took it is not heard' : '';
  }
}

function content(words: string): string {
  if (/thank|cheers|appreciate/iu.test(words)) return `The customer thanked the agent${words}`;
  if (/“(?:no|nope|that)\b/iu.test(words)) return `The customer needed nothing more${words}`;
  return `The customer was content at the end${words}`;
}

function lastWords({ conversation }: CallFacts, { evidence }: Finding): string {
  const [shown] = evidence;
  const utterance = conversation.spoken.find(({ segment }) => segment.id === shown?.segmentId);
  const tokens = conversation.tokens.filter((token) => token.utterance === utterance);
  const [first] = tokens;
  const last = tokens.at(-1);
  return first && last ? ` (${quoted(conversation, { from: first.at, to: last.at + 1 }, 16)})` : '';
}

/** What the score rests on: the checks that were missed, in words, or what was done well. */
function judgement({ checks, scores }: ReportInput): string {
  const missed = checks.filter(({ answer, weight }) => (answer === 'fail' || answer === 'partial') && weight > 0);
  const critical = missed.find((check) => check.critical && check.answer === 'fail');
  const why = critical ? lowerFirst(critical.rationale).replace(/\.$/u, '') : '';
  if (scores.qualityScore === null) return `${unscored(scores)}${critical ? `. A critical check failed: ${why}` : ''}`;
  if (missed.length === 0)
    return scores.needsReviewCount === 0
      ? 'Every check that applies to this call is met'
      : 'Every check that could be judged is met';
  const others = missed.filter((check) => check !== critical).toSorted((a, b) => lost(b) - lost(a));
  const names = listWords(others.slice(0, 4).map(({ key, title }) => nounFor(key) ?? `“${lowerFirst(title)}”`));
  const rest = others.length > 4 ? `, among others` : '';
  if (critical) {
    const more = names === '' ? '' : `; points were also lost on ${names}${rest}`;
    return `The score is capped because of a critical failure: ${why}${more}`;
  }
  return `Points were lost on ${names}${rest}`;
}

function unscored({ judgedShare, needsReviewCount }: ReportInput['scores']): string {
  if (judgedShare === null) return 'No check of the rubric applies to this call';
  const left = needsReviewCount === 1 ? 'one check is' : `${String(needsReviewCount)} checks are`;
  return `There is no score yet: ${left} left to a person, since too little could be judged`;
}

/** The checks of the standard rubric as things that a call can lack. */
const NOUNS: Record<string, string> = {
  'greeting.opens': 'the greeting',
  'greeting.company': 'naming the company',
  'greeting.name': "giving the agent's name",
  'greeting.offer': 'asking what is needed',
  'problem.understood': 'clarifying the need',
  'problem.details': 'confirming the details',
  'problem.resolved': 'bringing about a result',
  'problem.accepted': "the customer's acceptance",
  'professionalism.courtesy': 'courtesy during the call',
  'professionalism.respect': 'respect',
  'professionalism.listening': 'letting the customer finish',
  'professionalism.hold': 'explaining silences',
  'professionalism.clarity': 'the pace of speech',
  'closing.more': 'offering further help',
  'closing.thanks': 'the closing thanks',
  'closing.farewell': 'the goodbye',
};

function nounFor(key: string): string | undefined {
  return Object.hasOwn(NOUNS, key) ? NOUNS[key] : undefined;
}

function lost({ weight, score }: CheckResult): number {
  return weight * (100 - (score ?? 100));
}

/** What fails compliance is a fact; what a person has still to judge is told as possible. */
function compliance({ complianceFindings, findings }: ReportInput): string {
  const told = (some: readonly ComplianceFinding[], lead: string): string[] => {
    const parts = some.map(({ key, rationale }) => {
      const atMs = findings.get(key)?.atMs;
      return `${lowerFirst(rationale).replace(/\.$/u, '')}${atMs === undefined ? '' : ` (${clock(atMs)})`}`;
    });
    return parts.length === 0 ? [] : [`${lead}: ${parts.join('; ')}`];
  };
  const broken = complianceFindings.filter(({ answer }) => answer === 'fail');
  const [facts, possible] = [broken.filter(failsCompliance), broken.filter((each) => !failsCompliance(each))];
  const open = complianceFindings.filter(({ answer }) => answer === 'needs_review');
  return [
    ...told(facts, 'Compliance'),
    ...told(possible, 'A possible breach of compliance, for a person to judge'),
    ...told(open, 'Compliance is left to a person'),
  ].join('. ');
}

function failsCompliance({ severity }: ComplianceFinding): boolean {
  return severity === 'high';
}

function answerOf({ findings }: ReportInput, key: string): string | undefined {
  return findings.get(key)?.answer;
}
