import { compileExactly, type PhraseSet } from '../../model/text/compile-phrases.ts';
import type { ReadBook } from '../accusations/books.ts';
import type { Reading } from '../accusations/reading.ts';
import type { Sign, Strength } from '../accusations/sign.ts';
import { withWitnesses } from '../accusations/witnesses.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd, type Hit, isNegated, wordsOf } from '../conversation/finder.ts';
import * as lexicon from '../lexicon/compliance.ts';
import type { PressureKind } from '../messages/terms.ts';

type Pressure = Sign<PressureKind>;

const notThreats = compileExactly(lexicon.NOT_THREATS);
const notGuarantees = compileExactly(lexicon.NOT_GUARANTEES);
const notSecrecy = compileExactly(lexicon.NOT_SECRECY);

/** Does the agent threaten, guarantee what the company cannot, or ask to keep the call secret? */
export function detectPressure(facts: CallFacts): Finding {
  const { conversation } = facts;
  const say = facts.messages.answers.pressure;
  const found = findPressure(facts);
  const clear = found.filter(({ strength }) => strength === 'clear');
  const quotes = (of: readonly Pressure[]): Finding['evidence'] =>
    of
      .toSorted((a, b) => a.from - b.from)
      .slice(0, 4)
      .flatMap((each) => quotePlaces(conversation, each));
  if (clear.length > 0) {
    const kinds = [...new Set(clear.map(({ kind }) => kind))];
    return { ...atFirstQuote(finding('fail', say.fail(kinds), quotes(clear))), pressure: kinds };
  }
  if (found.length > 0) {
    const kinds = [...new Set(found.map(({ kind }) => kind))];
    return atFirstQuote(finding('needs_review', say.maybe(kinds), quotes(found)));
  }
  return finding('pass', say.pass);
}

function findPressure(facts: CallFacts): Pressure[] {
  const { reading, signs: hostile } = facts;
  const { book } = reading;
  const denied = facts.finder.find(notThreats, 'agent');
  const threats = hostile.flatMap((sign): Pressure[] => {
    const isThreat = sign.kind === 'threat' || sign.kind === 'consequence';
    if (!isThreat || overlapsAny(sign, denied)) return [];
    return [{ ...sign, kind: sign.kind === 'threat' ? 'threat' : 'consequence' }];
  });
  const signs = [
    ...threats,
    ...guaranteeSigns(facts, book),
    ...secrecySigns(facts, book),
    ...urgencySigns(facts, book.urgency, 'possible'),
  ];
  const deadlines = urgencySigns(facts, book.deadlines, 'faint');
  return borneOut(reading, [...withWitnesses(reading, { signs, others: [...signs, ...hostile] }), ...deadlines]);
}

/**
 * A promise, a secret and a deadline bear each other out wherever they stand in a call, and so does the customer who resists right
 * after one. What a company may do to those who do not pay is no such sign. A deadline that nothing bears out is left out.
 */
function borneOut(reading: Reading, signs: readonly Pressure[]): Pressure[] {
  const { tokens } = reading.conversation;
  const telling = signs.filter(({ kind }) => kind !== 'consequence');
  return signs.flatMap((sign) => {
    if (sign.strength === 'clear' || sign.kind === 'consequence') return [sign];
    const isResisted = reading.resisted.has((tokens[sign.from]?.utterance.turn ?? -2) + 1);
    const isBorneOut = telling.some((other) => other.kind !== sign.kind && !overlapsAny(sign, [other]));
    if (isResisted || isBorneOut) return [{ ...sign, strength: 'clear' as const }];
    return sign.strength === 'faint' ? [] : [sign];
  });
}

type Range = Pick<Hit, 'from' | 'to'>;

function overlapsAny({ from, to }: Range, hits: readonly Range[]): boolean {
  return hits.some((hit) => hit.from < to && from < hit.to);
}

const OUTCOME_REACH = 14;

function guaranteeSigns({ conversation, finder }: CallFacts, { guarantees, outcomes }: ReadBook): Pressure[] {
  const { tokens } = conversation;
  const denied = finder.find(notGuarantees, 'agent');
  const signs = (set: typeof guarantees.clear, strength: Strength): Pressure[] =>
    finder.find(set, 'agent').flatMap(({ from, to }): Pressure[] => {
      if (overlapsAny({ from, to }, denied) || isNegated(tokens, from, 3)) return [];
      const end = Math.min(clauseEnd(tokens, from), to + OUTCOME_REACH);
      const isOfOutcome = wordsOf(tokens, from, end).some((word) => outcomes.has(word));
      return [{ kind: 'guarantee', strength: strength === 'possible' && isOfOutcome ? 'clear' : strength, from, to }];
    });
  return [...signs(guarantees.clear, 'clear'), ...signs(guarantees.possible, 'possible')];
}

function secrecySigns({ conversation, finder }: CallFacts, { secrecy }: ReadBook): Pressure[] {
  const { tokens } = conversation;
  const denied = finder.find(notSecrecy, 'agent');
  return finder.find(secrecy, 'agent').flatMap(({ from, to, turn }): Pressure[] => {
    const around = wordsOf(tokens, from, Math.min(turn.to, to + 5));
    const isOfSecrets = around.some((word) => lexicon.SECRETS_OF_OWN.has(word));
    if (overlapsAny({ from, to }, denied) || isOfSecrets) return [];
    return [{ kind: 'secrecy', strength: 'possible', from, to }];
  });
}

/** "You do not have to decide today" leaves time. */
function urgencySigns({ conversation, finder }: CallFacts, set: PhraseSet, strength: Strength): Pressure[] {
  return finder
    .find(set, 'agent')
    .filter(({ from }) => !isNegated(conversation.tokens, from, 3))
    .map(({ from, to }) => ({ kind: 'urgency', strength, from, to }));
}
