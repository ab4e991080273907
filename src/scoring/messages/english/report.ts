import type {
  BySlight,
  ClosingPart,
  OpeningPart,
  PressureKind,
  SecretKind,
  StandardKey,
  StandardTitle,
} from '../terms.ts';
import { capitalize, lowerFirst, percentIn, withoutStop } from '../format.ts';
import { answers } from './answers.ts';

const { list } = answers;

const openings: Record<OpeningPart, string> = {
  opens: 'a greeting',
  company: "the company's or department's name",
  name: "the agent's name",
  offer: 'the question how you can help',
};

const closings: Record<ClosingPart, string> = {
  more: 'the question whether anything else is needed',
  thanks: 'a thank you',
  farewell: 'a goodbye',
};

const closingWords: Record<ClosingPart, string> = {
  more: 'Is there anything else I can do for you?',
  thanks: 'Thank you for calling.',
  farewell: 'Have a good day, goodbye.',
};

/** The checks of the standard rubric as things that a call can lack. */
const nouns: Record<StandardKey, string> = {
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

/** Titles stand in their own language. */
const titles: Partial<Record<StandardTitle, string>> = {};

const respect: BySlight = {
  insult: 'Whatever the customer says, never turn on them. Pause, then say what you can do.',
  profanity: 'Swearing has no place on a customer call.',
  sarcasm: 'Sarcasm is heard as contempt: answer the question plainly.',
  blame: 'Do not look for the fault with the customer. “Let us see how we can put this right” moves the call on.',
  contempt: 'Nobody is talked down to here: explain it once more, in other words.',
  threat: 'Do not threaten. Name the options and let the customer choose.',
};

const instead: Record<PressureKind, string> = {
  threat: 'do not threaten; name the options and the dates instead',
  consequence: 'do not threaten; name the options and the dates instead',
  guarantee: 'do not promise an outcome that others decide; say what you will do and by when',
  secrecy: 'never ask a customer to keep a call to themselves; what you offer must stand up to anyone hearing it',
  urgency: 'leave the customer time to decide',
};

const moments = (at: readonly string[]): string => (at.length === 0 ? '' : ` at ${list(at)}`);

/** What happened in the call. `said` stands in quotes already. */
export const summary = {
  agent: 'The agent',
  nouns,
  titles,
  unretold: (doubt: string): string => `${doubt}: what is said is left to a person, or to a language model`,
  nothingSaid: 'Nothing is said in this recording, so there is nothing to score.',
  announcement: (said: string): string =>
    `Only a recorded announcement is heard: ${said}. No agent speaks, so there is nothing to score.`,
  unknownVoices: (said: string): string =>
    `It could not be told which voice is the agent's, so there is nothing to score. The recording begins: ${said}.`,
  noAgent: (said: string): string =>
    `No agent speaks in this recording, so there is nothing to score. Heard from the customer's side: ${said}.`,
  need: {
    midCall: 'The recording starts in the middle of the call, so the request itself is not heard',
    none: 'The customer does not ask for anything in this call',
    unclear: (at: string): string => `The customer's request at ${at} was not clearly recognised`,
    asked: (said: string): string => `The customer asked: ${said}`,
    came: (said: string): string => `The customer came with this: ${said}`,
    called: (said: string): string => `The agent called the customer: ${said}`,
  },
  approach: {
    asked: (who: string): string => `${who} asked about the request first`,
    restated: (who: string): string => `${who} made sure of the request first`,
    askedAndConfirmed: (who: string): string => `${who} asked about the request first and confirmed the details`,
    restatedAndConfirmed: (who: string): string => `${who} made sure of the request first and confirmed the details`,
    confirmed: (who: string): string => `${who} confirmed the details`,
  },
  outcome: {
    done: (who: string, at: string, said: string): string => `${who} reported the result at ${at}${said}`,
    answered: (who: string, at: string, said: string): string => `${who} gave the answer at ${at}${said}`,
    next: (who: string, at: string, said: string): string => `${who} left it at a next step (${at})${said}`,
    none: 'No result and no next step was found in the call',
    open: (at: string | null): string =>
      `Whether the request was met is for a listener to decide${at === null ? '' : ` (${at})`}`,
    openAfter: (who: string, at: string, said: string): string =>
      `${who} said at ${at}: ${said}; whether that met the request is for a listener to decide`,
  },
  reaction: {
    accepted: (said: string): string => `The customer accepted the outcome${said}`,
    reserved: (said: string): string => `The customer accepted with a reservation${said}`,
    objected: (said: string): string => `The customer left unhappy${said}`,
    silent: 'The customer never said that this was what they wanted',
    unheard: 'How the customer took it is not heard',
  },
  verdict: {
    inapplicable: 'No check of the rubric applies to this call',
    unscored: (open: number): string =>
      `There is no score yet: ${open === 1 ? 'one check is' : `${String(open)} checks are`} left to a person, since too little could be judged`,
    alsoCritical: (why: string): string => `A critical check failed: ${lowerFirst(withoutStop(why))}`,
    allMet: 'Every check that applies to this call is met',
    judgedMet: 'Every check that could be judged is met',
    lost: (things: readonly string[], more: boolean): string =>
      `Points were lost on ${list(things)}${more ? ', among others' : ''}`,
    capped: (why: string): string =>
      `The score is capped because of a critical failure: ${lowerFirst(withoutStop(why))}`,
    alsoLost: (things: readonly string[], more: boolean): string =>
      `Points were also lost on ${list(things)}${more ? ', among others' : ''}`,
    left: (things: readonly string[], more: boolean): string =>
      `Left to a listener: ${list(things)}${more ? ', among others' : ''}`,
    compliance: (parts: readonly string[]): string => `Compliance: ${parts.map((part) => lowerFirst(part)).join('; ')}`,
    possibleBreach: (parts: readonly string[]): string =>
      `A possible breach of compliance, for a person to judge: ${parts.map(lowerFirst).join('; ')}`,
    openCompliance: (parts: readonly string[]): string =>
      `Compliance is left to a person: ${parts.map(lowerFirst).join('; ')}`,
    at: (what: string, at: string): string => `${withoutStop(what)} (${at})`,
  },
};

/** What is still to be done. */
export const tasks = {
  openRequest: (need: string): string => `Contact the customer, whose request is still open. ${withoutStop(need)}.`,
  notAccepted: 'Contact the customer: they did not accept the outcome.',
  breach: (title: string, at: string | null): string =>
    `Review the recording${at === null ? '' : ` at ${at}`} with the agent: “${title}” was broken.`,
  decide: (title: string, at: string | null): string =>
    `Listen to the recording${at === null ? '' : ` at ${at}`} to decide on “${title}”.`,
  promised: (at: string, said: string): string => `Promised at ${at}: ${said}. Make sure that it happens.`,
  forCustomer: (at: string, said: string): string => `For the customer at ${at}: ${said}. Check that they managed.`,
  callBack: (said: string): string => `Call the customer back: ${said}.`,
};

/** What to do better. */
export const coaching = {
  opening: (missing: readonly OpeningPart[], at: string, said: string, example: string): string =>
    `The opening at ${at} (${said}) lacks ${list(missing.map((part) => openings[part]))}. Try: “${example}”`,
  offer: 'How can I help you today?',
  greeting: (company: string | null, name: string | null): string =>
    `Good morning, ${company ?? '(company)'}, my name is ${name ?? '(your name)'}. How can I help you?`,
  ending: (missing: readonly ClosingPart[], at: string, said: string): string =>
    `The agent's last words at ${at} are ${said}, and ${list(missing.map((part) => closings[part]))} ${missing.length > 1 ? 'are' : 'is'} missing. End with: “${missing.map((part) => closingWords[part]).join(' ')}”`,
  understood: (at: string, said: string): string =>
    `The customer explains the need at ${at} (${said}). Say it back or ask one question about it before you go on, for example: “Let me make sure I have this right: …”`,
  understoodUnheard: 'Before acting, say in one sentence what you have understood and let the customer confirm it.',
  details: (names: string, at: string): string =>
    `Read ${names} back before acting (given at ${at}), or a slip goes unnoticed. “Let me repeat that … is that correct?” is enough.`,
  detailsUnheard:
    'Read back what the customer gives before acting (amounts, dates, numbers, addresses), or a slip goes unnoticed. “Let me repeat that … is that correct?” is enough.',
  someDetails: (names: string, at: string): string =>
    `Some details are confirmed, but not ${names} (given at ${at}): read everything back, so that a misheard word is caught while the customer is still on the line.`,
  onlyPromised: (said: string | null): string =>
    `The customer leaves with a promise${said === null ? '' : ` (${said})`} and not with a result.`,
  sayByWhen: 'Say by when, and how the customer will learn that it is done.',
  sayHow: 'Add how the customer will learn that it is done, and whom to ask if it is not.',
  resolved: 'Tell the customer what became of the request: that it is done, or who will do what by when.',
  resolvedBy: (at: string): string => `The call moves to its end at ${at} without it.`,
  reserved: (at: string, said: string): string =>
    `The customer still has doubts at ${at}${said}. Ask what would settle them before you close.`,
  objected: (at: string, said: string): string =>
    `The customer objects at ${at}${said}. Take that up before ending the call: name the concern, say what you can do about it, and offer somebody who can decide more.`,
  accepted: 'Check that the answer is what the customer wanted, for example: “Does that settle it for you?”',
  onlyAtEdges: 'Polite words are kept for the greeting and the goodbye.',
  noCourtesy: 'Not one polite word is heard from the agent.',
  anyCourtesy: 'A “thank you” when the customer answers or an “of course” when they ask costs nothing.',
  plainRequest: (at: string, said: string): string =>
    `At ${at} the agent asks “${said}”. A “please” makes it a request.`,
  softened: (at: string, said: string): string =>
    `At ${at} the agent asks “${said}”. “${capitalize(said.replace(/\?$/u, ''))}, please?” sounds better.`,
  respect: (said: readonly string[], at: string, kind: keyof BySlight, isBreach: boolean): string =>
    `${said.length > 0 ? list(said) : `What is said at ${at}`} must not happen. ${respect[kind]} Talk this through with the agent soon${isBreach ? ', together with the compliance finding' : ''}.`,
  saidAt: (said: string, at: string): string => `“${said}” (${at})`,
  overlap: (percent: number): string =>
    `The agent talks over the customer for ${percentIn(percent, '.')} of the call. Wait for a second of silence before answering.`,
  interruptions: (count: number, at: readonly string[]): string =>
    `The agent cuts in ${String(count)} times (${list(at)}). Let the customer finish; “go on, I am listening” is quicker than having it told twice.`,
  hold: (where: string): string =>
    `The line goes quiet without a word: ${where}. Say “One moment, I am looking that up for you” first, and “Thank you for waiting” when you are back.`,
  someHolds: (where: string): string =>
    `A wait is left unexplained: ${where}. Say “One moment, I am looking that up for you” first, and “Thank you for waiting” when you are back.`,
  fast: (pace: number): string =>
    `At ${String(pace)} words a minute the agent speaks too fast to follow comfortably. A short pause after each piece of information brings it towards 150.`,
  slow: (pace: number): string =>
    `At ${String(pace)} words a minute the agent speaks slowly, with long pauses inside sentences. Having the screen ready before explaining helps.`,
  secrets: (kinds: readonly SecretKind[], at: readonly string[]): string =>
    `Never say ${kinds.length > 0 ? answers.sensitive.named(kinds) : 'secret data'} aloud, as happens${moments(at)}: let the customer enter it, or confirm only the last digits.`,
  pressure: (kinds: readonly PressureKind[], at: readonly string[]): string =>
    `${capitalize([...new Set(kinds.map((kind) => instead[kind]))].join('; '))} (the agent ${answers.pressure.named(kinds)}${moments(at)}).`,
  sayEarly: (title: string, why: string): string =>
    `${title}: say it early in every call; ${lowerFirst(withoutStop(why))}.`,
  broken: (title: string, why: string, at: readonly string[]): string =>
    `${title}: ${lowerFirst(withoutStop(why))}${at.length === 0 ? '' : ` (${list(at)})`}.`,
  example: (phrase: string): string => `Words that count, for example: “${phrase}”.`,
};
