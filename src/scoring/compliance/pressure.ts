import { compileExactly } from '../../model/text/compile-phrases.ts';
import type { Reading } from '../accusations/reading.ts';
import { withWitnesses } from '../accusations/witnesses.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import * as lexicon from '../lexicon/compliance.ts';
import { guaranteeSigns, overlapsAny, type Pressure, secrecySigns, urgencySigns, warnedOf } from './pressure-signs.ts';

const notThreats = compileExactly(lexicon.NOT_THREATS);

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
  const said = [
    ...guaranteeSigns(facts, book),
    ...secrecySigns(facts, book),
    ...urgencySigns(facts, book.urgency, 'possible'),
  ];
  const { sure, open } = warnedOf(facts, [...said, ...urgencySigns(facts, book.deadlines, 'faint')]);
  const signs = [...threats, ...sure.filter(({ strength }) => strength !== 'faint')];
  const deadlines = sure.filter(({ strength }) => strength === 'faint');
  const borne = borneOut(reading, [...withWitnesses(reading, { signs, others: [...signs, ...hostile] }), ...deadlines]);
  return [...borne, ...open];
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
