import type { RedactionKind } from '../../domain/records/redaction.ts';
import { isQuantity, lastEndingBy, topicOf, type Conversation } from '../conversation.ts';
import { COUNTED } from '../lexicon.ts';
import type { Lead } from '../leads.ts';
import type { Run } from '../runs.ts';
import type { Finding } from '../spans.ts';

const digitsMin = 3;
const digitsMax = 8;
const KINDS = new Map<string, RedactionKind>([
  ['code', 'security_code'],
  ['pin', 'pin'],
]);

/** Security codes and PINs: the first figures that are said to be one. */
export function findCodes(conversation: Conversation): Finding[] {
  const answered = new Set<unknown>();
  return conversation.runs.flatMap((run) => {
    if (run.digits.length < digitsMin || run.digits.length > digitsMax) return [];
    const kind = KINDS.get(topicOf(conversation, run) ?? '');
    if (!kind || isQuantity(conversation, run) || isCount(conversation, run)) return [];
    const lead = lastEndingBy(conversation.leads, run.from);
    if (lead && (answered.has(lead) || isYearFarFrom(conversation, lead, run))) return [];
    answered.add(lead);
    return [{ kind, from: run.from, to: run.to }];
  });
}

const nearTokens = 2;
const LINKS = new Set("is it's ist lautet es это".split(' '));

/** "Pin the message at the top for 2024": a year counts only right after the word, or where the word "is" it. */
function isYearFarFrom({ tokens }: Conversation, lead: Lead, { from, digits }: Run): boolean {
  if (!/^(?:19|20)\d\d$/.test(digits) || from - lead.to <= nearTokens) return false;
  return !tokens.slice(lead.to, from).some(({ word }) => LINKS.has(word));
}

/** "A 100-digit code". */
function isCount({ tokens }: Conversation, { to }: Run): boolean {
  return COUNTED.has(tokens[to]?.word ?? '');
}
