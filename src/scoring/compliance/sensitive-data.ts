import type { Finding } from '../answer.ts';
import { finding } from '../answer.ts';
import type { PlacedToken } from '../conversation.ts';
import { quoteExactly } from '../evidence.ts';
import type { CallFacts } from '../facts.ts';
import type { Hit } from '../finder.ts';
import { isNegated, wordsOf } from '../finder.ts';
import * as lexicon from '../lexicon/compliance.ts';
import { listWords } from '../report/format.ts';
import { readStretches } from '../stretches.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import { isNumberWord, readNumbers } from '../text/numbers.ts';
import type { DigitRun } from './digit-runs.ts';
import { findCardNumber, readDigitRuns } from './digit-runs.ts';

const cardContext = compilePhrases(lexicon.CARD_CONTEXT);
const otherContext = compilePhrases(lexicon.OTHER_NUMBER_CONTEXT);
const codeLeads = compilePhrases(lexicon.CODE_LEADS);
const idLeads = compilePhrases(lexicon.ID_LEADS);
const passwordLeads = compilePhrases(lexicon.PASSWORD_LEADS);

type Leak = { what: string; from: number; to: number; isSure: boolean };

const CONTEXT_WORDS = 25;
const REACH_WORDS = 9;

/** Does the agent say a full card number, a security code, a national id or a password aloud? Spoken figures count too. */
export function detectSensitiveData(facts: CallFacts): Finding {
  const { conversation } = facts;
  const leaks = [...cardLeaks(facts), ...codeLeaks(facts), ...idLeaks(facts), ...passwordLeaks(facts)].toSorted(
    (a, b) => a.from - b.from,
  );
  const sure = leaks.filter(({ isSure }) => isSure);
  const evidence = (of: readonly Leak[]): Finding['evidence'] =>
    of.slice(0, 3).flatMap((leak) => quoteExactly(conversation, leak));
  const atMs = (leak: Leak | undefined): number => conversation.tokens[leak?.from ?? 0]?.utterance.segment.startMs ?? 0;
  if (sure.length > 0) {
    const what = [...new Set(sure.map((leak) => leak.what))];
    return {
      ...finding('fail', `The agent says ${listWords(what)} aloud.`, evidence(sure)),
      atMs: atMs(sure[0]),
      notes: what,
    };
  }
  if (leaks.length > 0) {
    const what = listWords([...new Set(leaks.map((leak) => leak.what))]);
    return {
      ...finding('needs_review', `The agent may have said ${what} aloud: listen to it.`, evidence(leaks)),
      atMs: atMs(leaks[0]),
    };
  }
  return finding('pass', 'The agent says no full card number, security code, national id or password aloud.');
}

function cardLeaks(facts: CallFacts): Leak[] {
  return readStretches(facts.conversation, 'agent').flatMap((stretch) =>
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
      if (card && !isOther) return [{ what: 'a full card number', ...place, isSure: true }];
      const isLong = run.digits.length <= 19 && hasContext && !isOther;
      return isLong ? [{ what: 'a full card number', ...place, isSure: false }] : [];
    }),
  );
}

function contextBefore({ conversation }: CallFacts, at: number): PlacedToken[] {
  return conversation.tokens.slice(Math.max(0, at - CONTEXT_WORDS), at);
}

/** "Your security code is four two one", and the code that the customer has just said, repeated. */
function codeLeaks(facts: CallFacts): Leak[] {
  return leaksAfter(facts, {
    set: codeLeads,
    what: 'a security code',
    isFitting: (digits) => digits.length >= 3 && digits.length <= 8,
  });
}

function idLeaks(facts: CallFacts): Leak[] {
  const written = facts.conversation.agentTurns.flatMap((turn) =>
    turn.utterances.flatMap(({ segment, tokens }): Leak[] => {
      const place = /\b\d{3}-\d{2}-\d{4}\b/u.exec(segment.text)?.index;
      const at =
        place === undefined
          ? -1
          : turn.tokens.findIndex((token) => token.utterance.segment === segment && token.from >= place);
      const token = turn.tokens[at];
      return token && tokens.length > 0
        ? [{ what: 'a national id number', from: token.at, to: token.at + 1, isSure: true }]
        : [];
    }),
  );
  const spoken = leaksAfter(facts, {
    set: idLeads,
    what: 'a national id number',
    isFitting: (digits) => digits.length >= 6 && digits.length <= 12,
  });
  return [...written, ...spoken];
}

type LeadRule = { set: ReturnType<typeof compilePhrases>; what: string; isFitting: (digits: string) => boolean };

function leaksAfter(facts: CallFacts, { set, what, isFitting }: LeadRule): Leak[] {
  const { conversation, finder } = facts;
  const own = finder.find(set, 'agent').flatMap((lead) => {
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
  return [...own, ...repeatedSecrets(facts, { set, what, isFitting })];
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
  return ['digit', 'digits', 'attempts', 'times', 'minutes', 'days'].includes(tokens[at + 1]?.word ?? '');
}

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

function passwordLeaks({ conversation, finder }: CallFacts): Leak[] {
  return finder.find(passwordLeads, 'agent').flatMap((lead): Leak[] => {
    const after = conversation.tokens.slice(lead.to, Math.min(lead.turn.to, lead.to + 6));
    const [first] = after;
    if (!first || isNegated(conversation.tokens, lead.from)) return [];
    if (lead.phrase === 'password to' && readNumbers(after).length === 0) return [];
    if (lexicon.NOT_PASSWORDS.has(first.word) || /(?:ed|ing)$/u.test(first.word)) return [];
    const question = conversation.tokens.slice(lead.from, lead.to + 6).some(({ pause }) => pause === 'question');
    if (question && !isNumberWord(first.word)) return [];
    return [{ what: 'a password', from: lead.from, to: lead.to, isSure: true }];
  });
}
