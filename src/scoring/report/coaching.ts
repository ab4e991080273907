import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { isRead } from '../languages/language.ts';
import { COURTESIES } from '../lexicon/courtesy.ts';
import { meaningNamed, meaningsOf } from '../lexicon/meanings/meanings.ts';
import { clock } from '../messages/format.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { isValueWord } from '../text/values.ts';
import { agentActs, rangeOf } from './acts-said.ts';
import type { ReportInput } from './input.ts';
import { requestOf } from './request.ts';
import { quoted, speech } from './speech.ts';
import { lastObjection } from './stance.ts';
import { isClean } from './trust.ts';
import { likelyOutcome, mainResult, resultRange, saidIn } from './results-said.ts';

type Case = { input: ReportInput; found: Finding; isPartial: boolean };

/** How each check of the standard rubric is coached. The words vary with what was found in the call. */
const COACHING: Record<string, (each: Case) => string> = {
  'problem.understood': coachUnderstood,
  'problem.details': coachDetails,
  'problem.resolved': coachResolved,
  'problem.accepted': coachAccepted,
  'professionalism.courtesy': coachCourtesy,
  'professionalism.respect': coachRespect,
  'professionalism.listening': coachListening,
  'professionalism.hold': coachHold,
  'professionalism.clarity': coachClarity,
};

/** Undefined for every other key, also for those that all objects have. */
export function coachingFor(key: string): ((each: Case) => string) | undefined {
  return Object.hasOwn(COACHING, key) ? COACHING[key] : undefined;
}

function coachUnderstood({ input: { facts } }: Case): string {
  const say = facts.messages.coaching;
  const request = requestOf(facts);
  if (!request) return say.understoodUnheard;
  const startMs = facts.conversation.tokens[request.at]?.utterance.segment.startMs ?? 0;
  return say.understood(clock(startMs), quoted(facts, request, 14));
}

function coachDetails({ input: { facts }, found, isPartial }: Case): string {
  const { coaching: say } = facts.messages;
  const [names] = found.notes ?? [];
  if (names === undefined) return say.detailsUnheard;
  return (isPartial ? say.someDetails : say.details)(names, clock(found.atMs ?? 0));
}

function coachResolved({ input: { facts }, found, isPartial }: Case): string {
  const say = facts.messages.coaching;
  const result = mainResult(facts);
  if (isPartial) {
    const range = result && !found.isByModel ? resultRange(facts, result) : null;
    const likely = range ? null : likelyOutcome(facts, found);
    const shown = range && range.to > range.from ? range : likely;
    const said = shown ? quoted(facts, shown) : null;
    return `${say.onlyPromised(said)} ${isTimed(facts, shown) ? say.sayHow : say.sayByWhen}`;
  }
  return found.atMs === undefined ? say.resolved : `${say.resolved} ${say.resolvedBy(clock(found.atMs))}`;
}

/** Whether the agent says when, in the step that is shown or in another one. */
function isTimed(facts: CallFacts, shown: { from: number; to: number } | null): boolean {
  const steps = agentActs(facts, 'next_step').flatMap(({ utterance, share }) =>
    share < STEP_MIN ? [] : (rangeOf(facts, utterance) ?? []),
  );
  const { language } = facts.messages;
  return [...(shown ? [shown] : []), ...steps].some(({ from, to }) =>
    facts.conversation.tokens
      .slice(from, to)
      .some(
        ({ word }) =>
          isValueWord(word) || (isRead(language) && meaningsOf(word, language).some((meaning) => TIMES.has(meaning))),
      ),
  );
}

const STEP_MIN = 0.3;
const TIMES: ReadonlySet<number> = new Set(
  ['weekday', 'month', 'clock', 'duration', 'tomorrow_later'].map(meaningNamed),
);

function coachAccepted({ input: { facts }, found, isPartial }: Case): string {
  const say = facts.messages.coaching;
  const objection = lastObjection(facts, found);
  const words = saidIn(facts, objection ? { evidence: [{ segmentId: objection.segment.id }] } : found);
  const said = words === null ? '' : ` (${words})`;
  if (isPartial) return say.reserved(clock(found.atMs ?? 0), said);
  return objection ? say.objected(clock(objection.segment.startMs), said) : say.accepted;
}

const ASKING = new Set(['what', 'which', 'when', 'can', 'could', 'may', 'would']);
const courtesies = compilePhrases(COURTESIES);

/** Points to the first plain request of the agent; in English it shows how that sounds with a "please". */
function coachCourtesy({ input, isPartial }: Case): string {
  const { facts } = input;
  const { conversation, questions, opening, ending, finder, messages } = facts;
  const say = messages.coaching;
  const start = isPartial ? say.onlyAtEdges : say.noCourtesy;
  const polite = finder.find(courtesies, 'agent');
  const plain = questions.find(
    ({ turn, from, to }) =>
      from >= opening.greetingTo &&
      to <= ending.closingFrom &&
      ASKING.has(wordAfterLead(conversation, from)) &&
      !polite.some((hit) => hit.turn === turn),
  );
  if (!plain || messages.language !== 'en') return `${start} ${say.anyCourtesy}`;
  const words = speech(conversation, plain, 12);
  const at = clock(conversation.tokens[plain.from]?.utterance.segment.startMs ?? 0);
  const isUnfit = words.endsWith('…') || !isClean(conversation, plain);
  return `${start} ${(isUnfit ? say.plainRequest : say.softened)(at, words)}`;
}

function wordAfterLead({ tokens }: ReportInput['facts']['conversation'], from: number): string {
  const lead = tokens[from]?.word ?? '';
  return ['and', 'okay', 'so', 'alright'].includes(lead) ? (tokens[from + 1]?.word ?? '') : lead;
}

function coachRespect({ input, found }: Case): string {
  const { coaching: say } = input.facts.messages;
  const lines = found.evidence.slice(0, 2).map(({ quote, startMs }) => say.saidAt(quote, clock(startMs)));
  const isBreach = input.complianceFindings.some(({ answer }) => answer === 'fail');
  return say.respect(lines, clock(found.atMs ?? 0), found.slights?.[0] ?? 'insult', isBreach);
}

function coachListening({ input: { facts }, found }: Case): string {
  const say = facts.messages.coaching;
  const { metrics, agentOverlapShare } = facts.measurements;
  const count = metrics.interruptions.agent;
  if (count <= 2) return say.overlap(agentOverlapShare * 100);
  return say.interruptions(count, found.notes ?? [clock(found.atMs ?? 0)]);
}

function coachHold({ input: { facts }, found, isPartial }: Case): string {
  const say = facts.messages.coaching;
  return (isPartial ? say.someHolds : say.hold)(found.notes?.[0] ?? clock(found.atMs ?? 0));
}

function coachClarity({ input: { facts } }: Case): string {
  const say = facts.messages.coaching;
  const pace = Math.round(facts.measurements.metrics.wordsPerMinute.agent ?? 0);
  return pace > 150 ? say.fast(pace) : say.slow(pace);
}
