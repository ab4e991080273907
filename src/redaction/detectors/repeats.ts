import type { RedactionKind } from '../../model/redaction.ts';
import type { Conversation } from '../conversation.ts';
import type { Finding } from '../spans.ts';

type Secret = { kind: RedactionKind; digits: string; at: number };

const digitsMin = 6;
const postcodeDigitsMin = 5;
const secretsMax = 50;
/** Short numbers count as a repetition only right afterwards. */
const shortWithinTokens = 25;
const SHORT_KINDS: ReadonlySet<RedactionKind> = new Set(['security_code', 'pin']);

/** Digits that were found once and are said again without being named: "let me read that back". */
export function findRepeats({ runs }: Conversation, findings: readonly Finding[]): Finding[] {
  const secrets = secretsOf(runs, findings);
  if (secrets.length === 0) return [];
  return runs.flatMap(({ digits, from, to }) => {
    const secret = secrets.find((each) => isRepeated(each, { digits, from }));
    return secret ? [{ kind: secret.kind, from, to }] : [];
  });
}

function isRepeated(secret: Secret, { digits, from }: { digits: string; from: number }): boolean {
  if (SHORT_KINDS.has(secret.kind)) {
    return digits === secret.digits && from >= secret.at && from - secret.at <= shortWithinTokens;
  }
  const min = secret.kind === 'address' ? postcodeDigitsMin : digitsMin;
  return digits.length >= min && secret.digits.includes(digits);
}

/** Findings without digits are not searched for again here. */
const WORDS: ReadonlySet<RedactionKind> = new Set(['date_of_birth', 'password', 'email', 'name', 'card_expiry']);

function secretsOf(runs: Conversation['runs'], findings: readonly Finding[]): Secret[] {
  const found: Secret[] = [];
  let at = 0;
  for (const { kind, from, to } of findings.toSorted((a, b) => a.from - b.from)) {
    if (WORDS.has(kind)) continue;
    while ((runs[at]?.to ?? Infinity) <= from) at += 1;
    for (let index = at; (runs[index]?.from ?? Infinity) < to && found.length < secretsMax; index += 1) {
      const digits = (runs[index]?.groups ?? [])
        .filter((group) => group.from >= from && group.to <= to)
        .map((group) => group.digits)
        .join('');
      if (digits !== '') found.push({ kind, digits, at: to });
    }
  }
  return found;
}
