import { kindOfPlaceholder } from '../../model/redaction.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { PlacedToken } from '../conversation/conversation.ts';
import { quoteExactly } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Hit } from '../conversation/finder.ts';
import { isNegated, wordsOf } from '../conversation/finder.ts';
import * as lexicon from '../lexicon/compliance.ts';
import { EXAMPLES } from '../lexicon/examples.ts';
import type { SecretKind } from '../messages/terms.ts';
import { readStretches } from '../conversation/stretches.ts';
import { compileExactly, type PhraseSet } from '../../model/text/compile-phrases.ts';
import { type FindSecrets, isAboutPassword, labelledSecrets, type Leak } from './labelled-secrets.ts';
import { findPhrases } from '../text/phrases.ts';
import { isNumberWord, readNumbers } from '../text/numbers.ts';
import type { DigitRun } from './digit-runs.ts';
import { findCardNumber, readDigitRuns } from './digit-runs.ts';
import { redactedLeaks } from './redacted-secrets.ts';
import { asksForCard, findCardReadings, readAfter, saysRightAfter } from './read-card.ts';
import { isUnmistakable } from './unmistakable.ts';

const cardContext = compileExactly(lexicon.CARD_CONTEXT);
const otherContext = compileExactly(lexicon.OTHER_NUMBER_CONTEXT);
const codeLeads = compileExactly(lexicon.CODE_LEADS);
const idLeads = compileExactly(lexicon.ID_LEADS);
const passwordLeads = compileExactly(lexicon.PASSWORD_LEADS);

const cardCodeLeads = compileExactly(lexicon.CARD_CODE_LEADS);
const examples = compileExactly(EXAMPLES);
const notElse = compileExactly(lexicon.NOT_OWN_CODES);
const sayingLinks = compileExactly(lexicon.SAYING_LINKS);

/** Whose words are looked at. What a voice says that could be either's is never sure. */
type Voice = 'agent' | 'unknown';

const CONTEXT_WORDS = 25;
const REACH_WORDS = 9;

/** Does the agent say a full card number, a security code, a national id or a password aloud? Spoken figures count too. */
export function detectSensitiveData(facts: CallFacts, findSecrets: FindSecrets): Finding {
  const { conversation } = facts;
  const say = facts.messages.answers.sensitive;
  const labelled = labelledSecrets(facts, findSecrets);
  const leaks = [...leaksBy(facts, 'agent'), ...labelled, ...leaksBy(facts, 'unknown')]
    .map((leak) => (isExample(facts, leak) ? { ...leak, isSure: false } : leak))
    .toSorted((a, b) => a.from - b.from);
  const sure = leaks.filter(({ isSure }) => isSure);
  const evidence = (of: readonly Leak[]): Finding['evidence'] =>
    of.slice(0, 3).flatMap((leak) => quoteExactly(conversation, leak));
  if (sure.length > 0) {
    const what = [...new Set(sure.map((leak) => leak.what))];
    const isRedacted = ({ from }: Leak): boolean => kindOfPlaceholder(conversation.tokens[from]?.word ?? '') !== null;
    return {
      ...atFirstQuote(finding('fail', say.fail(what), evidence(sure))),
      secrets: what,
      isPlain: sure.some((leak) => isRedacted(leak) || isUnmistakable(facts, leak)),
    };
  }
  if (leaks.length > 0) {
    const what = [...new Set(leaks.map((leak) => leak.what))];
    const isVoiceUnknown = leaks.every(({ from }) => conversation.tokens[from]?.utterance.role === 'unknown');
    const rationale = isVoiceUnknown ? say.byWhom(what) : say.maybe(what);
    return atFirstQuote(finding('needs_review', rationale, evidence(leaks)));
  }
  return finding('pass', say.pass);
}

const EXAMPLE_WORDS = 10;

/** "Something like 123", "the public test card", "the guest wifi": whether it is anybody's secret is for a person to tell. */
function isExample({ conversation: { tokens, turns } }: CallFacts, { from, to }: Leak): boolean {
  const turn = turns[tokens[from]?.utterance.turn ?? -1];
  const start = Math.max(turn?.from ?? 0, from - EXAMPLE_WORDS);
  return findPhrases(tokens.slice(start, Math.min(turn?.to ?? 0, to + EXAMPLE_WORDS)), examples).length > 0;
}

function leaksBy(facts: CallFacts, voice: Voice): Leak[] {
  if (!facts.conversation.turns.some(({ role }) => role === voice)) return [];
  const leaks = [
    ...cardLeaks(facts, voice),
    ...readCardLeaks(facts, voice),
    ...codeLeaks(facts, voice),
    ...idLeaks(facts, voice),
    ...passwordLeaks(facts, voice),
    ...redactedLeaks(facts, voice),
  ];
  return voice === 'agent' ? leaks : leaks.map((leak) => ({ ...leak, isSure: false }));
}

function leadsOf({ finder }: CallFacts, set: PhraseSet, voice: Voice): Hit[] {
  return finder.find(set, 'anyone').filter(({ turn }) => turn.role === voice);
}

function cardLeaks(facts: CallFacts, voice: Voice): Leak[] {
  return readStretches(facts.conversation, voice).flatMap((stretch) =>
    readDigitRuns(stretch.tokens).flatMap((run): Leak[] => {
      if (run.digits.length < 13) return [];
      const card = findCardNumber(run.digits);
      const before = contextBefore(facts, run.from);
      const isOther =
        findPhrases(before.slice(-12), otherContext).length > 0 &&
        findPhrases(before.slice(-12), cardContext).length === 0;
      const hasContext = findPhrases(before, cardContext).length > 0;
      const place = {
        from: run.places[card?.start ?? 0] ?? run.from,
        to: (run.places[(card?.start ?? 0) + 3] ?? run.from) + 1,
      };
      if (card && !isOther) return [{ what: 'card', ...place, isSure: true }];
      const isLong = run.digits.length <= 19 && hasContext && !isOther;
      return isLong ? [{ what: 'card', ...place, isSure: false }] : [];
    }),
  );
}

/** A card number that is announced as one, or said back after the customer gave it, with misheard figures in it. */
function readCardLeaks(facts: CallFacts, voice: Voice): Leak[] {
  const { conversation } = facts;
  const announced = readStretches(conversation, voice).flatMap(({ tokens }) => findCardReadings(tokens));
  const given = conversation.turns.flatMap((turn, index) => {
    if (turn.role !== voice || (voice === 'unknown' && conversation.turns[index - 1]?.role !== 'agent')) return [];
    const asked = conversation.turns[voice === 'unknown' ? index - 1 : index - 2];
    if (asked?.role !== 'agent' || !asksForCard(asked.tokens)) return [];
    const back = readAfter(turn.tokens, 0);
    return back ? [back] : [];
  });
  return [...announced, ...given].map((place) => ({ what: 'card', ...place, isSure: true }));
}

function contextBefore({ conversation }: CallFacts, at: number): PlacedToken[] {
  return conversation.tokens.slice(Math.max(0, at - CONTEXT_WORDS), at);
}

/** "Your security code is four two one", and the code that the customer has just said, repeated. */
function codeLeaks(facts: CallFacts, voice: Voice): Leak[] {
  const spoken = leaksAfter(facts, {
    set: codeLeads,
    what: 'code',
    isFitting: (digits) => digits.length >= 3 && digits.length <= 8,
    voice,
  });
  return [...spoken, ...shortCodeLeaks(facts, voice)];
}

/** "The security code on the back is seventy four": a figure was lost, but a code is read out. */
function shortCodeLeaks(facts: CallFacts, voice: Voice): Leak[] {
  const { tokens } = facts.conversation;
  return leadsOf(facts, cardCodeLeads, voice).flatMap((lead): Leak[] => {
    const stretch = tokens.slice(lead.to, Math.min(lead.turn.to, lead.to + REACH_WORDS + 20));
    const run = readDigitRuns(stretch).find(({ from }) => from - lead.to <= REACH_WORDS);
    if (run?.digits.length !== 2 || isNegated(tokens, run.from)) return [];
    if (countsDigits(tokens, run.to - 1) || countsDigits(tokens, run.from)) return [];
    if (!saysRightAfter(tokens, run.from, sayingLinks)) return [];
    return [{ what: 'code', from: lead.from, to: run.from, isSure: true }];
  });
}

function idLeaks(facts: CallFacts, voice: Voice): Leak[] {
  const turns = facts.conversation.turns.filter(({ role }) => role === voice);
  const written = turns.flatMap((turn) =>
    turn.utterances.flatMap(({ segment, tokens }): Leak[] => {
      const place = /\b\d{3}-\d{2}-\d{4}\b/u.exec(segment.text)?.index;
      const at =
        place === undefined
          ? -1
          : turn.tokens.findIndex((token) => token.utterance.segment === segment && token.from >= place);
      const token = turn.tokens[at];
      return token && tokens.length > 0 ? [{ what: 'nationalId', from: token.at, to: token.at + 1, isSure: true }] : [];
    }),
  );
  const spoken = leaksAfter(facts, {
    set: idLeads,
    what: 'nationalId',
    isFitting: (digits) => digits.length >= 6 && digits.length <= 12,
    voice,
  });
  return [...written, ...spoken];
}

type LeadRule = { set: PhraseSet; what: SecretKind; isFitting: (digits: string) => boolean; voice: Voice };

function leaksAfter(facts: CallFacts, rule: LeadRule): Leak[] {
  const { set, what, isFitting, voice } = rule;
  const { conversation } = facts;
  const own = leadsOf(facts, set, voice).flatMap((lead) => {
    if (isOfAnother(conversation.tokens, lead)) return [];
    const stretch = conversation.tokens.slice(lead.to, Math.min(lead.turn.to, lead.to + REACH_WORDS + 20));
    const run = readDigitRuns(stretch).find(
      ({ from, digits }) =>
        from - lead.to <= REACH_WORDS && isFitting(digits) && !countsDigits(conversation.tokens, from),
    );
    const before = run ?? runBefore(facts, lead, isFitting);
    return before
      ? [
          {
            what,
            from: lead.from,
            to: Math.max(lead.to, Math.min(before.from + 1, lead.to + REACH_WORDS)),
            isSure: true,
          },
        ]
      : [];
  });
  return voice === 'agent' ? [...own, ...repeatedSecrets(facts, rule)] : own;
}

/** "The pin code of our office": another thing that goes by the same name. */
function isOfAnother(tokens: readonly PlacedToken[], { from, to, turn }: Hit): boolean {
  const around = tokens.slice(Math.max(turn.from, from - 2), Math.min(turn.to, to + 4));
  return findPhrases(around, notElse).length > 0;
}

/** "Four two one is the security code." */
function runBefore(
  { conversation }: CallFacts,
  lead: Hit,
  isFitting: (digits: string) => boolean,
): DigitRun | undefined {
  const words = conversation.tokens.slice(Math.max(lead.turn.from, lead.from - REACH_WORDS), lead.from);
  const link = wordsOf(conversation.tokens, lead.from - 4, lead.from);
  if (!['is', 'as', 'for'].some((word) => link.includes(word))) return undefined;
  return readDigitRuns(words).findLast(({ digits, to }) => isFitting(digits) && lead.from - to <= 4);
}

/** "The three digit code", "a six digit pin": the figure counts digits, it is not the code. */
function countsDigits(tokens: readonly PlacedToken[], at: number): boolean {
  return COUNTED.has(tokens[at + 1]?.word ?? '');
}

const COUNTED = new Set(
  'digit digits figures numbers characters letters attempts times seconds minutes hours days'.split(' '),
);

/** The agent asks for a secret, the customer says it, the agent says the same figures back. */
function repeatedSecrets({ conversation, finder }: CallFacts, { set, what, isFitting }: LeadRule): Leak[] {
  return finder.find(set, 'agent').flatMap((lead): Leak[] => {
    const answer = conversation.turns[lead.turn.index + 1];
    const back = conversation.turns[lead.turn.index + 2];
    if (answer?.role !== 'customer' || back?.role !== 'agent') return [];
    const secrets = new Set(
      readDigitRuns(answer.tokens)
        .map(({ digits }) => digits)
        .filter(isFitting),
    );
    const run = readDigitRuns(back.tokens).find(({ digits }) => secrets.has(digits));
    return run ? [{ what, from: run.from, to: run.from + 1, isSure: true }] : [];
  });
}

function passwordLeaks(facts: CallFacts, voice: Voice): Leak[] {
  const { conversation } = facts;
  return leadsOf(facts, passwordLeads, voice).flatMap((lead): Leak[] => {
    const after = conversation.tokens.slice(lead.to, Math.min(lead.turn.to, lead.to + 6));
    const [first] = after;
    if (!first || isNegated(conversation.tokens, lead.from)) return [];
    if (lead.phrase === 'password to' && readNumbers(after).length === 0) return [];
    if (isAboutPassword(first.word)) return [];
    const question = conversation.tokens.slice(lead.from, lead.to + 6).some(({ pause }) => pause === 'question');
    if (question && !isNumberWord(first.word) && !isConfirmed(after)) return [];
    return [{ what: 'password', from: lead.from, to: lead.to, isSure: true }];
  });
}

/** "… marigold, yes?": not the password is asked for, but whether it is right. */
function isConfirmed(after: readonly PlacedToken[]): boolean {
  const at = after.findIndex(({ pause }) => pause !== 'none');
  return (
    at >= 0 &&
    at <= 2 &&
    after[at]?.pause === 'comma' &&
    after.slice(at + 1, at + 4).some(({ pause }) => pause === 'question')
  );
}
