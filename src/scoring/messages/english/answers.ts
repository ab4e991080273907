import type { MetricName } from '../../../model/rubric-parts.ts';
import type { CheckAnswer } from '../../../model/scorecard.ts';
import type { SpeakerRole } from '../../../model/transcript.ts';
import type { BySlight, DetailKind, PressureKind, SecretKind, Speaking, WeighedKey } from '../terms.ts';
import { countIn, listWith, percentIn, whole, withoutStop } from '../format.ts';

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const count = (n: number): string => countIn(COUNTS, n);
const list = (items: readonly string[]): string => listWith('and', items);
const quote = (text: string): string => `“${text}”`;
const often = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : n === 2 ? 'twice' : `${String(n)} times`);

const details: Record<DetailKind, string> = {
  amount: 'the amount',
  date: 'the date',
  time: 'the time',
  address: 'the address',
  number: 'the number',
  email: 'the e-mail address',
  name: 'the name',
};

const pressure: Record<PressureKind, string> = {
  threat: 'threatens the customer',
  consequence: 'threatens the customer',
  guarantee: 'guarantees an outcome',
  secrecy: 'asks to keep the call secret',
  urgency: 'presses for an answer at once',
};
const pressures = (kinds: readonly PressureKind[]): string => list([...new Set(kinds.map((kind) => pressure[kind]))]);

const secret: Record<SecretKind, string> = {
  card: 'a full card number',
  code: 'a security code',
  nationalId: 'a national id number',
  password: 'a password',
};
const secrets = (kinds: readonly SecretKind[]): string => list(kinds.map((kind) => secret[kind]));

const rude: BySlight = {
  insult: 'The agent is rude to the customer.',
  profanity: 'The agent swears.',
  sarcasm: 'The agent is sarcastic towards the customer.',
  blame: 'The agent blames the customer.',
  contempt: 'The agent talks down to the customer.',
  threat: 'The agent threatens the customer.',
};

const maybeRude: BySlight = {
  insult: 'This may be meant as an insult',
  profanity: 'The agent may be swearing here',
  sarcasm: 'This may be meant as sarcasm',
  blame: 'This may put the blame on the customer',
  contempt: 'This may talk down to the customer',
  threat: 'This may be meant as a threat',
};

const metrics: Record<MetricName, (value: number) => string> = {
  agentInterruptions: (n) =>
    n === 0 ? 'the agent never interrupts the customer' : `the agent interrupts the customer ${often(n)}`,
  customerInterruptions: (n) =>
    n === 0 ? 'the customer never interrupts the agent' : `the customer interrupts the agent ${often(n)}`,
  agentOverlapPercent: (n) =>
    n < 0.05
      ? 'the agent does not talk over the customer'
      : `the agent talks over the customer for ${percentIn(n, '.')} of the time`,
  agentWordsPerMinute: (n) => `the agent speaks ${whole(n)} words a minute`,
  customerWordsPerMinute: (n) => `the customer speaks ${whole(n)} words a minute`,
  agentTalkPercent: (n) => `the agent has ${whole(n)} % of the talk time`,
  longestMonologueSeconds: (n) => `the longest monologue lasts ${whole(n)} seconds`,
  nonTalkSeconds: (n) => `nobody speaks for ${whole(n)} seconds in all`,
  longestSilenceSeconds: (n) => `the longest silence lasts ${whole(n)} seconds`,
  durationSeconds: (n) => `the call lasts ${whole(n)} seconds`,
  customerSentiment: (n) => `the customer's words score ${n.toFixed(2)} between -1 and 1`,
  agentSentiment: (n) => `the agent's words score ${n.toFixed(2)} between -1 and 1`,
};

/** What is asked, as a clause. */
const asked: Record<WeighedKey, string> = {
  'greeting.opens': 'the agent greets the customer',
  'greeting.company': 'the agent names the company or department',
  'greeting.name': 'the agent gives their own name',
  'greeting.offer': 'the agent asks how they can help',
  'problem.understood': 'the agent makes sure of the need',
  'problem.details': 'the agent confirms the details',
  'problem.resolved': 'the request is resolved',
  'problem.accepted': 'the customer accepts',
  'professionalism.courtesy': 'the agent is courteous throughout',
  'professionalism.respect': 'the agent treats the customer with respect',
  'closing.more': 'the agent asks what else is needed',
  'closing.thanks': 'the agent thanks the customer',
  'closing.farewell': 'the agent says goodbye',
};

const labels: Record<CheckAnswer, string> = {
  pass: 'pass',
  partial: 'partial',
  fail: 'fail',
  not_applicable: 'not_applicable',
  needs_review: 'needs_review',
};

/** Why each check was answered as it was. */
export const answers = {
  count,
  list,
  quote,
  metrics,
  labels,
  hidden: '[hidden]',
  parts: {
    whole: 'in the call',
    firstTurns: (n: number): string => (n === 1 ? 'in the first turn' : `in the first ${count(n)} turns`),
    lastTurns: (n: number): string => (n === 1 ? 'in the last turn' : `in the last ${count(n)} turns`),
    firstSeconds: (n: number): string => `in the first ${String(n)} seconds`,
    lastSeconds: (n: number): string => `in the last ${String(n)} seconds`,
    firstHalf: 'in the first half of the call',
    secondHalf: 'in the second half of the call',
    middle: 'between greeting and closing',
  },
  exempt: {
    midCallStart: 'The recording starts in the middle of the call.',
    needStatedFirst: 'The customer says what they need before the agent can ask.',
    customerEndsFirst: 'The customer ends the call before the agent can ask.',
    noChanceToClose: 'The customer ends the call, and the agent does not get another word in.',
    noCustomerSpeech: 'The customer says nothing.',
    unknownSpeakers: 'The recording does not tell agent and customer apart.',
    tooLittleTalk: (seconds: number): string =>
      `The agent speaks for less than ${String(seconds)} seconds: too little to judge.`,
    nothingToMeasure: 'The call gives nothing to measure here.',
    nothingSaid: 'Nothing is said in the recording.',
    whoIsAgent: 'It could not be told who in the recording is the agent.',
    noAgent: 'No agent speaks in the recording.',
  },
  depends: {
    metric: 'The call is outside the limits within which this applies.',
    judgedFirst: (title: string): string => `This depends on “${title}”, which has to be judged first.`,
    answeredOtherwise: (title: string): string => `This applies only if “${title}” has another answer.`,
    ruledOut: (where: string): string => `Something said ${where} rules this out.`,
    notSaid: (where: string): string => `Nothing said ${where} makes this apply.`,
  },
  doubts: {
    onlyPerson: 'Only a person or a language model can judge this.',
    voices: 'Who says part of the call is not clear, and the answer depends on it.',
    inferredAgent: 'That the agent says it was told from the words alone.',
    noWords: (languages: readonly string[]): string =>
      `The call is in ${list(languages)}, for which the profile has no words.`,
    unread: (why: string): string => `${why}, which only a person or a language model can judge.`,
    unclearLanguage: 'It is not clear which language is spoken',
    isIn: (language: string): string => `The call is in ${language}`,
    partIsIn: (language: string): string => `Part of the call is in ${language}`,
    partyPartIsIn: (party: Speaking, language: string): string => `Part of what the ${party} says is in ${language}`,
    partySpeaks: (party: Speaking, language: string): string => `The ${party} speaks ${language}`,
    contradicted: (named: string, heard: readonly string[]): string =>
      `The call is said to be in ${named}, but its words look ${list(heard)}`,
    several: (languages: readonly string[]): string => `${list(languages)} are spoken in this call`,
  },
  said: {
    fewer: (met: string, said: number, asked: number): string => `${met}, but ${count(said)} of ${count(asked)} times.`,
    elsewhere: (met: string, where: string): string => `${met}, but not ${where}.`,
  },
  company: {
    pass: 'The agent names the company or department at the start.',
    fail: "Neither the company nor a department is named in the agent's first two turns.",
  },
  name: {
    pass: 'The agent gives their own name.',
    fail: 'The agent does not give their name in their first three turns.',
  },
  understood: {
    noNeed: 'The customer asks for nothing, so there was no need to clarify.',
    asked: 'The agent asks a question about the request before acting on it.',
    restated: 'The agent says the request back before acting on it.',
    atOnce: 'The request was clear, and the agent met it straight away.',
    identified: 'The request was clear; the agent only had to identify the customer.',
    fail: 'Between the request and the answer the agent neither asks about it nor says it back.',
  },
  details: {
    none: 'The call has no amount, date, time, address or number to confirm.',
    agreed: 'The agent states the details, and the customer agrees to them.',
    named: (kinds: readonly DetailKind[]): string => list(kinds.map((kind) => details[kind])),
    pass: (kinds: readonly DetailKind[]): string => `The agent reads back ${list(kinds.map((kind) => details[kind]))}.`,
    partial: (missing: string): string => `The agent confirms some of the details, but not ${missing}.`,
    fail: (missing: string, isOne: boolean): string =>
      `The customer gives ${missing}, and the agent never reads ${isOne ? 'it' : 'them'} back.`,
  },
  resolved: {
    nothingAsked: 'The customer asks for nothing that could be resolved.',
    done: 'The agent says that it is done.',
    answered: 'The agent gives the information that was asked for.',
    next: 'There is no result yet, but the agent names the next step and who takes it.',
    fail: 'The agent never says that the request is done, and names no next step.',
  },
  accepted: {
    noChance: 'The customer says nothing after the answer that would tell.',
    objects: 'At the end the customer objects.',
    reserved: 'The customer accepts, but with a reservation.',
    accepts: 'The customer accepts at the end and does not object afterwards.',
    nods: 'The customer agrees at the end and does not object.',
    never: 'The customer never says that the answer is what they wanted.',
  },
  respect: {
    rude,
    possible: (kind: keyof BySlight): string =>
      `${maybeRude[kind]}, but nothing else in the call shows it: listen to it.`,
    unclear: 'A rude word may have been said, but it was not heard clearly: listen to it.',
    byWhom: 'Something rude is said, but the recording does not tell by whom: listen to it.',
    pass: 'The agent stays polite: no insult, swearing, sarcasm, blame or threat.',
  },
  hold: {
    none: 'There is no silence of more than 15 seconds.',
    place: (seconds: number, at: string): string => `${String(seconds)} seconds at ${at}`,
    pass: 'Long silences are announced or explained.',
    partial: (where: string): string => `Some long silences are announced, but not all: ${where}.`,
    fail: (where: string): string => `A long silence is neither announced nor explained: ${where}.`,
  },
  sensitive: {
    named: secrets,
    pass: 'The agent says no full card number, security code, national id or password aloud.',
    fail: (kinds: readonly SecretKind[]): string => `The agent says ${secrets(kinds)} aloud.`,
    maybe: (kinds: readonly SecretKind[]): string => `The agent may have said ${secrets(kinds)} aloud: listen to it.`,
    byWhom: (kinds: readonly SecretKind[]): string =>
      `Somebody says ${secrets(kinds)} aloud, but the recording does not tell who: listen to it.`,
  },
  pressure: {
    named: pressures,
    pass: 'The agent does not threaten, promises no outcome and asks for no secrecy.',
    fail: (kinds: readonly PressureKind[]): string => `The agent ${pressures(kinds)}.`,
    maybe: (kinds: readonly PressureKind[]): string =>
      `It may be that the agent ${pressures(kinds)}, but one phrase alone does not show it: listen to it.`,
  },
  byModel: {
    cannotTell: (title: string): string => `“${title}”: the language model could not tell; listen to the call.`,
    unshown: (title: string, answer: string, by: SpeakerRole | null): string =>
      `“${title}”: the language model answers “${answer}”, but no words${by === null ? '' : ` by the ${by}`} in the call show it; listen to the call.`,
    denied: (answer: string): string =>
      `The language model answers “${answer}”, and these words speak against it: listen to the call.`,
    aboutNothing: (answer: string): string =>
      `The language model answers “${answer}”, and the rules find nothing that it could be about: listen to the call.`,
    disagrees: (answer: string, other: string): string =>
      `The language model answers “${answer}”, the rules answer “${other}”: listen to the call.`,
    plain: {
      pass: (title: string): string => `“${title}”: the language model finds it met.`,
      partial: (title: string): string => `“${title}”: the language model finds it partly met.`,
      fail: (title: string): string => `“${title}”: the language model finds it not met.`,
      not_applicable: (title: string): string =>
        `“${title}”: the language model finds that it does not apply to this call.`,
    },
  },
  /** Where what was learned answers, or doubts. */
  suspicion: {
    possibly: {
      'professionalism.respect': (at: string): string =>
        `What the agent says at ${at} may be meant as scorn, blame or a threat, in other words than usual: listen to it.`,
      'compliance.pressure': (at: string): string =>
        `What the agent says at ${at} may be a threat, a promise that nobody can keep or a request for secrecy, in other words than usual: listen to it.`,
      'compliance.sensitive': (at: string): string =>
        `What the agent says at ${at} may give away a card number, a code, a password or an identity number: listen to it.`,
    },
    open: 'It may as well be harmless: listen to it.',
  },
  weighed: {
    pass: (key: WeighedKey, at: string): string => `In other words than usual, ${asked[key]} at ${at}.`,
    partial: (key: WeighedKey, at: string): string => `Only in part can it be said that ${asked[key]}; see ${at}.`,
    fail: (key: WeighedKey): string => `Nothing in the call sounds as if ${asked[key]}.`,
    not_applicable: (key: WeighedKey): string => `The call leaves no room to ask whether ${asked[key]}.`,
    needs_review: (key: WeighedKey, at: string): string => `Not sure whether ${asked[key]}: listen at ${at}.`,
  },
  /** One answer after another, where the second explains the first. */
  both: (first: string, second: string): string => `${withoutStop(first)}. ${second}`,
};
