import { compileExactly } from '../../model/text/compile-phrases.ts';
import type { Segment } from '../../model/transcript.ts';
import type { PlacedToken, Utterance } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { isNegated } from '../conversation/finder.ts';
import type { SecretKind as SaidSecret } from '../messages/terms.ts';
import { NOT_PASSWORDS } from '../lexicon/compliance.ts';
import { NOT_PASSWORDS_ABROAD, NOT_SECRETS, PLACE_WORDS, SAYING_WORDS, SECRET_LABELS } from '../lexicon/secrets.ts';
import { findPhrases } from '../text/phrases.ts';

/** Something personal at the characters `[from, to)` of a segment, by its index among those that were given. */
type FoundSecret = { kind: string; segment: number; from: number; to: number };

/** What finds personal data in a part of a call. Scoring is given it: it knows nothing of redaction. */
export type FindSecrets = (segments: readonly Segment[]) => FoundSecret[];

/** Something secret that is said aloud: the words at `[from, to)` show it and do not repeat it. */
export type Leak = { what: SaidSecret; from: number; to: number; isSure: boolean };

type SecretKind = keyof typeof SECRET_LABELS;

const WHAT: Record<SecretKind, SaidSecret> = {
  card_number: 'card',
  security_code: 'code',
  pin: 'code',
  password: 'password',
  national_id: 'nationalId',
};

const labels = {
  card_number: compileExactly(SECRET_LABELS.card_number),
  security_code: compileExactly(SECRET_LABELS.security_code),
  pin: compileExactly(SECRET_LABELS.pin),
  password: compileExactly(SECRET_LABELS.password),
  national_id: compileExactly(SECRET_LABELS.national_id),
};
const notSecrets = compileExactly(NOT_SECRETS);

const BEFORE_WORDS = 9;
const AFTER_WORDS = 5;
const CARD_FIGURES_MIN = 12;

/**
 * What the net that takes personal data out of transcripts finds in the agent's words, in four languages. It is a secret
 * where its label stands beside it too; what is only likely is left to a person, and what has another label is none.
 */
export function labelledSecrets(facts: CallFacts, findSecrets: FindSecrets): Leak[] {
  const { conversation } = facts;
  const said = nearLabels(facts);
  if (said.length === 0) return [];
  const segments = said.map(({ segment, role }) => ({ ...segment, role }));
  return findSecrets(segments).flatMap(({ kind, segment, from, to }): Leak[] => {
    const utterance = said[segment];
    if (utterance?.role !== 'agent' || !isSecret(kind)) return [];
    const turn = conversation.turns[utterance.turn]?.tokens ?? [];
    const words = turn.filter((token) => token.utterance === utterance);
    const value = words.filter((token) => token.from < to && token.to > from);
    return leakOf(kind, { utterance, words, value });
  });
}

/** What is said around the labels of secrets: the rest of a call has none that this looks for. */
function nearLabels({ conversation, finder }: CallFacts): Utterance[] {
  const { turns } = conversation;
  const near = new Set(
    Object.values(labels).flatMap((set) =>
      finder.find(set, 'anyone').flatMap(({ turn: { index } }) => [index - 2, index - 1, index, index + 1, index + 2]),
    ),
  );
  const hasAgent = [...near].some((index) => turns[index]?.role === 'agent');
  return hasAgent ? conversation.spoken.filter(({ turn }) => near.has(turn)) : [];
}

function isSecret(kind: string): kind is SecretKind {
  return Object.hasOwn(WHAT, kind);
}

type Said = { utterance: Utterance; words: readonly PlacedToken[]; value: readonly PlacedToken[] };

function leakOf(kind: SecretKind, { words, value }: Said): Leak[] {
  const [first, last] = [value[0], value.at(-1)];
  const start = words[0]?.at;
  if (!first || !last || start === undefined) return [];
  const before = words.slice(Math.max(0, first.at - start - BEFORE_WORDS), first.at - start);
  if (findPhrases(before, notSecrets).length > 0) return [];
  const after = words.slice(last.at + 1 - start, last.at + 1 - start + AFTER_WORDS);
  const label = findPhrases(before, labels[kind]).at(-1);
  const isTold = kind === 'password' && label !== undefined && isOfPassword(before.slice(label.to), value);
  const isNamed = label !== undefined || findPhrases(after, labels[kind]).length > 0;
  const figures = value.reduce((sum, { word }) => sum + word.replace(/\D/gu, '').length, 0);
  const isWhole = kind !== 'card_number' || value.length >= CARD_FIGURES_MIN || figures >= CARD_FIGURES_MIN;
  if (!isWhole || isNegated(words, first.at - start)) return [];
  const beside = label ? before[label.from] : (before.at(-2) ?? before.at(-1) ?? after[0]);
  const from = beside?.at ?? first.at;
  return [{ what: WHAT[kind], from, to: from < first.at ? first.at : from + 1, isSure: isNamed && !isTold }];
}

/** "The password for the portal is …" says it, "the password is for the portal" and "is the same" tell of it. */
function isOfPassword(between: readonly PlacedToken[], value: readonly PlacedToken[]): boolean {
  const lastOf = (words: ReadonlySet<string>): number => between.findLastIndex(({ word }) => words.has(word));
  const isAbout = isAboutPassword(value[0]?.word ?? '') && !value.some(({ word }) => /\d/u.test(word));
  return isAbout || lastOf(PLACE_WORDS) > lastOf(SAYING_WORDS);
}

export function isAboutPassword(word: string): boolean {
  return NOT_PASSWORDS.has(word) || NOT_PASSWORDS_ABROAD.has(word) || /(?:ed|ing)$/u.test(word);
}
