import type { RedactionKind } from '../../domain/records/redaction.ts';
import type { Conversation } from '../conversation.ts';
import type { Finding } from '../spans.ts';

type Secret = { kind: RedactionKind; digits: string; at: number };

const digitsMin = 6;
const secretsMax = 50;
/** Short ones are taken for a repetition only right after. */
const shortWithinTokens = 25;
const SHORT_KINDS: ReadonlySet<RedactionKind> = new Set(['security_code', 'pin']);

/** Figures that were found once, said again without a word that tells what they are: "let me read that back". */
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
    return digits === secret.digits && from > secret.at && from - secret.at <= shortWithinTokens;
  }
  return digits.length >= digitsMin && secret.digits.includes(digits);
}

function secretsOf(runs: Conversation['runs'], findings: readonly Finding[]): Secret[] {
  const found: Secret[] = [];
  let at = 0;
  for (const { kind, from, to } of findings.toSorted((a, b) => a.from - b.from)) {
    if (kind === 'date_of_birth' || kind === 'password' || kind === 'email') continue;
    while ((runs[at]?.to ?? Infinity) <= from) at += 1;
    const run = runs[at];
    if (!run || run.from >= to) continue;
    const digits = run.groups
      .filter((group) => group.from >= from && group.to <= to)
      .map((group) => group.digits)
      .join('');
    if (digits !== '' && found.length < secretsMax) found.push({ kind, digits, at: to });
  }
  return found;
}
