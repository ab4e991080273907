import { compileExactly, type PhraseSet } from '../../model/text/compile-phrases.ts';
import type { ReadBook } from '../accusations/books.ts';
import { isOfOthers } from '../accusations/excuses.ts';
import type { Sign, Strength } from '../accusations/sign.ts';
import { clauseEnd, clauseStart, type Hit, isNegated, wordsOf } from '../conversation/finder.ts';
import type { CallFacts } from '../facts/facts.ts';
import * as lexicon from '../lexicon/compliance.ts';
import * as harmless from '../lexicon/harmless-pressure.ts';
import type { PressureKind } from '../messages/terms.ts';

/** `isOpen`: it may as well be harmless, so it neither is borne out nor bears out another. */
export type Pressure = Sign<PressureKind> & { isOpen?: boolean };
type Range = Pick<Hit, 'from' | 'to'>;

const notGuarantees = compileExactly(lexicon.NOT_GUARANTEES);
const notSecrecy = compileExactly(lexicon.NOT_SECRECY);
const warnings = compileExactly(harmless.WARNINGS);
const things = compileExactly(harmless.GUARANTEED_THINGS);
const outcomePhrases = compileExactly(harmless.OUTCOMES);
const otherDeadlines = compileExactly(harmless.OTHER_DEADLINES);
const surprises = compileExactly(harmless.SURPRISES);
const dealWords = compileExactly(harmless.DEAL_WORDS);
const ownSecrets = compileExactly(harmless.OWN_SECRETS);

const OUTCOME_REACH = 14;
const SECRET_REACH = 12;
const GUARANTEE = /guarant|garant|гарант/u;
const PROMISE = /guarant|garant|гарант|promise|verspr|promet|обеща/u;

export function overlapsAny({ from, to }: Range, hits: readonly Range[]): boolean {
  return hits.some((hit) => hit.from < to && from < hit.to);
}

/** The clause around a sign, so far as it reaches. */
function clauseAround({ conversation: { tokens } }: CallFacts, { from, to }: Range, reach: number): Range {
  return {
    from: Math.max(clauseStart(tokens, from), from - reach),
    to: Math.min(clauseEnd(tokens, from), to + reach),
  };
}

/** What is guaranteed must be what the customer gains by agreeing: not a thing, a price or what a law protects. */
export function guaranteeSigns(facts: CallFacts, { guarantees, outcomes }: ReadBook): Pressure[] {
  const { conversation, finder } = facts;
  const { tokens } = conversation;
  const denied = finder.find(notGuarantees, 'agent');
  const ofThings = finder.find(things, 'agent');
  const ofOutcomes = finder.find(outcomePhrases, 'agent');
  const signs = (set: PhraseSet, strength: Strength): Pressure[] =>
    finder.find(set, 'agent').flatMap(({ from, to }): Pressure[] => {
      if (overlapsAny({ from, to }, denied) || isNegated(tokens, from, 3)) return [];
      const around = clauseAround(facts, { from, to }, OUTCOME_REACH);
      const said = { kind: 'guarantee' as const, from, to };
      const isGain = overlapsAny(around, ofOutcomes);
      const isPromised = wordsOf(tokens, from, to).some((word) => PROMISE.test(word));
      if (isPromised && overlapsAny(around, ofThings) && !(isGain && strength === 'clear')) {
        return isGain ? [{ ...said, strength: 'possible' }] : [];
      }
      const isOfOutcome = isGain || wordsOf(tokens, from, around.to).some((word) => outcomes.has(word));
      if (isOfOutcome || strength === 'clear') return [{ ...said, strength: 'clear' }];
      return [{ ...said, strength, isOpen: wordsOf(tokens, from, to).some((word) => GUARANTEE.test(word)) }];
    });
  return [...signs(guarantees.clear, 'clear'), ...signs(guarantees.possible, 'possible')];
}

/** Secrecy must be about the deal: neither a surprise for somebody nor the care for a PIN. */
export function secrecySigns(facts: CallFacts, book: ReadBook): Pressure[] {
  const { conversation, finder } = facts;
  const { tokens } = conversation;
  const denied = finder.find(notSecrecy, 'agent');
  const deals = finder.find(dealWords, 'agent');
  const own = finder.find(ownSecrets, 'agent');
  const surprised = new Set(finder.find(surprises, 'anyone').map(({ turn }) => turn.index));
  return finder.find(book.secrecy, 'agent').flatMap(({ from, to, turn }): Pressure[] => {
    const said = { kind: 'secrecy' as const, strength: 'possible' as const, from, to };
    if (overlapsAny({ from, to }, denied) || isOfOthers(conversation, book, said)) return [];
    const around = wordsOf(tokens, from, Math.min(turn.to, to + 5));
    if (around.some((word) => lexicon.SECRETS_OF_OWN.has(word))) return [];
    const isOfDeal = overlapsAny(clauseAround(facts, { from, to }, SECRET_REACH), deals);
    const isOfPin = overlapsAny({ from: Math.max(turn.from, from - SECRET_REACH), to: from }, own);
    const isSurprise = [-1, 0, 1].some((away) => surprised.has(turn.index + away));
    if (!isOfDeal && (isOfPin || isSurprise)) return [];
    return [said];
  });
}

/** "You do not have to decide today" leaves time, and "decide whether he comes in the morning" sells nothing. */
export function urgencySigns(facts: CallFacts, set: PhraseSet, strength: Strength): Pressure[] {
  const { conversation, finder } = facts;
  const others = finder.find(otherDeadlines, 'agent');
  return finder
    .find(set, 'agent')
    .filter(({ from, to }) => {
      const isOther = overlapsAny(clauseAround(facts, { from, to }, OUTCOME_REACH), others);
      return !isOther && !isNegated(conversation.tokens, from, 3);
    })
    .map(({ from, to }) => ({ kind: 'urgency', strength, from, to }));
}

/**
 * What others say, of whom the customer is warned in the same sentence, is no sign; elsewhere in such a turn, and of a guarantee
 * of nobody knows what, it is open.
 */
export function warnedOf(facts: CallFacts, signs: readonly Pressure[]): { sure: Pressure[]; open: Pressure[] } {
  const { conversation, finder } = facts;
  const { tokens } = conversation;
  const warned = finder.find(warnings, 'agent').filter(({ from }) => !isNegated(tokens, from, 3));
  const turns = new Set(warned.map(({ turn }) => turn.index));
  const sure: Pressure[] = [];
  const open: Pressure[] = [];
  for (const sign of signs) {
    const isWarning = overlapsAny({ from: clauseStart(tokens, sign.from), to: sign.from }, warned);
    const isNearWarning = turns.has(tokens[sign.from]?.utterance.turn ?? -1);
    if (isWarning || (isNearWarning && sign.strength === 'faint')) continue;
    if (isNearWarning || sign.isOpen === true) open.push({ ...sign, strength: 'possible' });
    else sure.push(sign);
  }
  return { sure, open };
}
