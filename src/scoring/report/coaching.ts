import type { Finding } from '../findings/answer.ts';
import { clauseEnd } from '../conversation/finder.ts';
import { COURTESIES } from '../lexicon/courtesy.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { isValueWord } from '../text/values.ts';
import { capitalize, clock, listWords } from './format.ts';
import type { ReportInput } from './input.ts';
import { quoted, speech, thirdPerson } from './speech.ts';
import { isClean } from './trust.ts';
import { mainResult, resultRange } from './summary.ts';

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

function coachUnderstood({ input, found }: Case): string {
  const { conversation, need } = input.facts;
  if (!need) return 'Before acting, say in one sentence what you have understood and let the customer confirm it.';
  const range = { from: need.from, to: Math.min(need.to, clauseEnd(conversation.tokens, need.from)) };
  const at = clock(found.evidence[0]?.startMs ?? need.turn.startMs);
  const back = thirdPerson(speech(conversation, range, 10))
    ?.replace(/\btheir\b/gu, 'your')
    .replace(/\bthey would\b|\bthey\b/giu, 'you')
    .replace(/\bthem\b/gu, 'you');
  const example =
    back && isClean(conversation, range) && !back.endsWith('…') && !/\b(?:are|do|have)\b/u.test(back)
      ? `“So ${back.replace(/^I\b/u, 'you')}, is that right?”`
      : '“Let me make sure I have this right: …”';
  return `The customer explains the need at ${at} (${quoted(conversation, range, 14)}). Say it back or ask one question about it before you go on, for example ${example}`;
}

function coachDetails({ found, isPartial }: Case): string {
  const names = found.notes?.[0] ?? 'the details';
  const at = clock(found.atMs ?? 0);
  const pronoun = names.includes(' and ') ? 'them' : 'it';
  if (isPartial)
    return `Some details are confirmed, but ${names} (given at ${at}) ${pronoun === 'them' ? 'are' : 'is'} not: repeat ${pronoun} as well, so that a misheard word is caught while the customer is still on the line.`;
  return `Read ${names} back before acting: the customer gives ${pronoun} at ${at}, and a slip would go unnoticed. “Let me repeat that … is that correct?” is enough.`;
}

function coachResolved({ input, found, isPartial }: Case): string {
  const { facts } = input;
  const result = mainResult(facts);
  if (isPartial && result) {
    const range = resultRange(facts, result);
    const hasTime = facts.conversation.tokens.slice(range.from, range.to).some(({ word }) => isValueWord(word));
    const advice = hasTime
      ? 'Add how the customer will learn that it is done, and whom to ask if it is not.'
      : 'Say by when, and how the customer will learn that it is done.';
    return `The customer leaves with a promise${range.to > range.from ? ` (${quoted(facts.conversation, range)})` : ''} and not with a result. ${advice}`;
  }
  const at = found.atMs === undefined ? '' : ` The call moves to its end at ${clock(found.atMs)} without it.`;
  return `Tell the customer what became of the request: that it is done, or who will do what by when.${at}`;
}

function coachAccepted({ input, found, isPartial }: Case): string {
  const at = clock(found.atMs ?? 0);
  const words = quotedEvidence(input, found);
  if (isPartial) return `The customer still has doubts at ${at}${words}. Ask what would settle them before you close.`;
  if (/object/u.test(found.rationale))
    return `The customer objects at ${at}${words}. Take that up before ending the call: name the concern, say what you can do about it, and offer somebody who can decide more.`;
  return 'Check that the answer is what the customer wanted, for example: “Does that settle it for you?”';
}

const ASKING = new Set(['what', 'which', 'when', 'can', 'could', 'may', 'would']);
const courtesies = compilePhrases(COURTESIES);

/** Points to the first plain request of the agent and shows how it sounds with a "please". */
function coachCourtesy({ input, isPartial }: Case): string {
  const { conversation, questions, opening, ending, finder } = input.facts;
  const polite = finder.find(courtesies, 'agent');
  const plain = questions.find(
    ({ turn, from, to }) =>
      from >= opening.greetingTo &&
      to <= ending.closingFrom &&
      ASKING.has(wordAfterLead(conversation, from)) &&
      !polite.some((hit) => hit.turn === turn),
  );
  const start = isPartial
    ? 'Polite words are kept for the greeting and the goodbye.'
    : 'Not one polite word is heard from the agent.';
  if (!plain) return `${start} A “thank you” when the customer answers or an “of course” when they ask costs nothing.`;
  const words = speech(conversation, plain, 12);
  const isUnfit = words.endsWith('…') || !isClean(conversation, plain);
  const better = isUnfit
    ? ' A “please” makes it a request.'
    : ` “${capitalize(words.replace(/\?$/u, ''))}, please?” sounds better.`;
  return `${start} At ${clock(conversation.tokens[plain.from]?.utterance.segment.startMs ?? 0)} the agent asks “${words}”.${better}`;
}

function wordAfterLead({ tokens }: ReportInput['facts']['conversation'], from: number): string {
  const lead = tokens[from]?.word ?? '';
  return ['and', 'okay', 'so', 'alright'].includes(lead) ? (tokens[from + 1]?.word ?? '') : lead;
}

const RESPECT: Record<string, string> = {
  insult: 'Whatever the customer says, never turn on them. Pause, then say what you can do.',
  profanity: 'Swearing has no place on a customer call.',
  sarcasm: 'Sarcasm is heard as contempt: answer the question plainly.',
  blame: 'Do not look for the fault with the customer. “Let us see how we can put this right” moves the call on.',
  contempt: 'Nobody is talked down to here: explain it once more, in other words.',
  threat: 'Do not threaten. Name the options and let the customer choose.',
};

function coachRespect({ input, found }: Case): string {
  const [kind] = found.notes ?? [];
  const lines = found.evidence.slice(0, 2).map(({ quote, startMs }) => `“${quote}” (${clock(startMs)})`);
  const shown =
    lines.length > 0
      ? `${listWords(lines)} must not happen.`
      : `What is said at ${clock(found.atMs ?? 0)} must not happen.`;
  return `${shown} ${RESPECT[kind ?? 'insult'] ?? RESPECT['insult'] ?? ''} Talk this through with the agent soon${input.complianceFindings.some(({ answer }) => answer === 'fail') ? ', together with the compliance finding' : ''}.`;
}

function coachListening({ input, found }: Case): string {
  const { metrics, agentOverlapShare } = input.facts.measurements;
  const count = metrics.interruptions.agent;
  if (count <= 2)
    return `The agent talks over the customer for ${(agentOverlapShare * 100).toFixed(0)} % of the call. Wait for a second of silence before answering.`;
  return `The agent cuts in ${String(count)} times (${found.notes?.[0] ?? clock(found.atMs ?? 0)}). Let the customer finish; “go on, I am listening” is quicker than having it told twice.`;
}

function coachHold({ found, isPartial }: Case): string {
  const where = found.notes?.[0] ?? clock(found.atMs ?? 0);
  const start = isPartial ? `One wait is left unexplained: ${where}.` : `The line goes quiet without a word: ${where}.`;
  return `${start} Say “One moment, I am looking that up for you” first, and “Thank you for waiting” when you are back.`;
}

function coachClarity({ input }: Case): string {
  const pace = Math.round(input.facts.measurements.metrics.wordsPerMinute.agent ?? 0);
  if (pace > 150)
    return `At ${String(pace)} words a minute the agent speaks too fast to follow comfortably. A short pause after each piece of information brings it towards 150.`;
  return `At ${String(pace)} words a minute the agent speaks slowly, with long pauses inside sentences. Having the screen ready before explaining helps.`;
}

function quotedEvidence({ facts }: ReportInput, { evidence }: Finding): string {
  const [shown] = evidence;
  const tokens = facts.conversation.tokens.filter(({ utterance }) => utterance.segment.id === shown?.segmentId);
  const [first] = tokens;
  return first ? ` (${quoted(facts.conversation, { from: first.at, to: first.at + tokens.length }, 16)})` : '';
}
