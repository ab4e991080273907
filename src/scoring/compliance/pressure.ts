import type { Finding } from '../answer.ts';
import { atFirstQuote, finding } from '../answer.ts';
import { quotePlaces } from '../evidence.ts';
import type { CallFacts } from '../facts.ts';
import type { Hit } from '../finder.ts';
import { isNegated, wordsOf } from '../finder.ts';
import * as lexicon from '../lexicon/compliance.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { listWords } from '../report/format.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

const RULES = [
  {
    what: 'threatens the customer',
    phrases: compilePhrases([...lexicon.PRESSURE_THREATS, ...inOtherLanguages('threats')]),
    not: compilePhrases(lexicon.NOT_THREATS),
  },
  {
    what: 'guarantees an outcome',
    phrases: compilePhrases([...lexicon.GUARANTEES, ...inOtherLanguages('guarantees')]),
    not: compilePhrases(lexicon.NOT_GUARANTEES),
  },
  {
    what: 'asks to keep the call secret',
    phrases: compilePhrases([...lexicon.SECRECY, ...inOtherLanguages('secrecy')]),
    not: compilePhrases(lexicon.NOT_SECRECY),
  },
] as const;

/** Does the agent threaten, guarantee what the company cannot, or ask to keep the call secret? */
export function detectPressure(facts: CallFacts): Finding {
  const { conversation } = facts;
  const found = RULES.flatMap(({ what, phrases, not }) => hitsOf(facts, phrases, not).map((hit) => ({ what, hit })));
  if (found.length === 0)
    return finding('pass', 'The agent does not threaten, promises no outcome and asks for no secrecy.');
  const what = [...new Set(found.map((each) => each.what))];
  const quotes = found
    .toSorted((a, b) => a.hit.from - b.hit.from)
    .slice(0, 4)
    .flatMap(({ hit }) => quotePlaces(conversation, hit));
  return { ...atFirstQuote(finding('fail', `The agent ${listWords(what)}.`, quotes)), notes: what };
}

function hitsOf(facts: CallFacts, phrases: Parameters<CallFacts['finder']['find']>[0], not: typeof phrases): Hit[] {
  const { conversation, finder } = facts;
  const denied = finder.find(not, 'agent');
  return finder.find(phrases, 'agent').filter((hit) => {
    if (denied.some(({ from, to }) => from < hit.to && hit.from < to)) return false;
    if (isNegated(conversation.tokens, hit.from, 3)) return false;
    const after = wordsOf(conversation.tokens, hit.from, Math.min(hit.turn.to, hit.to + 3));
    const isSafetyAdvice =
      wordsOf(conversation.tokens, hit.from, hit.to).includes('tell') &&
      after.some((word) => lexicon.SECRETS_OF_OWN.has(word));
    return !isSafetyAdvice;
  });
}
