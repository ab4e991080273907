import type { RedactionKind } from '../../domain/records/redaction.ts';
import { isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { COUNTED } from '../lexicon.ts';
import { lastEndingBy } from '../conversation.ts';
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
    if (lead && answered.has(lead)) return [];
    answered.add(lead);
    return [{ kind, from: run.from, to: run.to }];
  });
}

/** "A 100-digit code". */
function isCount({ tokens }: Conversation, { to }: Run): boolean {
  return COUNTED.has(tokens[to]?.word ?? '');
}
