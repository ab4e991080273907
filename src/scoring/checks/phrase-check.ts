import type { PhraseCheck } from '../../model/checks.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import { quoteFairly, quotePlaces } from '../findings/evidence.ts';
import { exemptionOf } from '../findings/exemptions.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Hit } from '../conversation/finder.ts';
import { speech } from '../report/speech.ts';
import { hasSlightBeside } from '../accusations/slights.ts';
import { describePart, findRule, type Found } from './phrase-rule.ts';
import { wordingFor } from '../languages/wording.ts';

/**
 * Answers a check from phrases in a part of the call. The evidence is what was found; the rationale says where it was
 * searched for.
 */
export function answerPhraseCheck(check: PhraseCheck, facts: CallFacts): Finding {
  const found = findRule(check, facts);
  if (check.expect === 'absent') return answerBan(check, found, facts);
  const { inside, outside } = found;
  const { messages } = facts;
  const deed = messages.deed(check);
  const where = describePart(check.where, messages);
  const times = check.times ?? 1;
  const said = times === 1 ? inside : withoutOverlaps(inside);
  if (said.length >= times) return finding('pass', `${deed.met(where)}.`, fairQuotes(said, facts));
  const exempted = exemptionOf(check.exemptions, facts);
  if (exempted !== null) return finding('not_applicable', exempted);
  if (said.length > 0) {
    const rationale = messages.answers.said.fewer(deed.met(where), said.length, times);
    return finding('partial', rationale, fairQuotes(said, facts));
  }
  if (check.elsewhere === 'partial') {
    const further = findElsewhere(check, facts);
    const weaker = [...outside, ...further.inside, ...further.outside];
    if (weaker.length > 0) {
      const rationale = messages.answers.said.elsewhere(oneSpaced(deed.met('')), where);
      return finding('partial', rationale, fairQuotes(weaker, facts));
    }
  }
  return finding('fail', `${deed.missed(where)}.`);
}

/** Where a part of the call is left out of a sentence, its place is. */
function oneSpaced(sentence: string): string {
  return sentence.replace(/\s+/gu, ' ').trim();
}

/** The words of a match as in the transcript. */
export function saidAt({ conversation }: CallFacts, hit: Hit | undefined): string {
  return hit ? speech(conversation, hit) : '';
}

function answerBan(check: PhraseCheck, { inside }: Found, facts: CallFacts): Finding {
  const { messages } = facts;
  const where = describePart(check.where, messages);
  const [first] = inside;
  if (!first) return finding('pass', `${messages.ban(check, null, where)}.`);
  const rationale = `${messages.ban(check, saidAt(facts, first), where)}.`;
  const quotes = inside.slice(0, 2).flatMap((hit) => quotePlaces(facts.conversation, hit));
  return atFirstQuote(finding('fail', rationale, quotes));
}

function findElsewhere(check: PhraseCheck, facts: CallFacts): Found {
  const { ignore, elsewherePhrases } = wordingFor(check, facts.language);
  if (!elsewherePhrases) return { inside: [], outside: [] };
  return findRule({ role: check.role, where: check.where, phrases: elsewherePhrases, ignore }, facts);
}

const QUOTED_FROM_MAX = 50;

/** Words next to something rude come last, as they are poor evidence. */
function fairQuotes(hits: readonly Hit[], facts: CallFacts): Finding['evidence'] {
  const { conversation, slights } = facts;
  const isBeside = (hit: Hit): boolean => hasSlightBeside(conversation.tokens, slights, hit.from);
  const first = hits.slice(0, QUOTED_FROM_MAX);
  const fairest = slights.length === 0 ? first : first.toSorted((a, b) => Number(isBeside(a)) - Number(isBeside(b)));
  return fairest.slice(0, 2).flatMap((hit) => quoteFairly(facts, hit));
}

/** "Good bye bye" is one farewell. */
function withoutOverlaps(hits: readonly Hit[]): Hit[] {
  let to = 0;
  return hits.filter((hit) => {
    if (hit.from < to) return false;
    to = hit.to;
    return true;
  });
}
