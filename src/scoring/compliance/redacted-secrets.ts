import { kindOfPlaceholder, type RedactionKind } from '../../model/redaction.ts';
import { compileExactly } from '../../model/text/compile-phrases.ts';
import type { Turn } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import * as lexicon from '../lexicon/compliance.ts';
import { SECRET_LABELS } from '../lexicon/secrets.ts';
import type { SecretKind } from '../messages/terms.ts';
import { findPhrases } from '../text/phrases.ts';
import type { Leak } from './labelled-secrets.ts';

const REDACTED = new Map<RedactionKind | null, SecretKind>([
  ['card_number', 'card'],
  ['security_code', 'code'],
  ['pin', 'code'],
  ['national_id', 'nationalId'],
  ['password', 'password'],
]);

/** Codes and passwords are taken for each other: what one is called names the other, too. */
const CODE_NAMES = compileExactly([
  ...SECRET_LABELS.security_code,
  ...SECRET_LABELS.pin,
  ...SECRET_LABELS.password,
  ...lexicon.CODE_LEADS,
  ...lexicon.PASSWORD_LEADS,
]);
const NAMES = {
  card: compileExactly([...SECRET_LABELS.card_number, ...lexicon.CARD_NUMBER_LEADS, ...lexicon.CARD_NUMBER_QUESTIONS]),
  code: CODE_NAMES,
  password: CODE_NAMES,
  nationalId: compileExactly([...SECRET_LABELS.national_id, ...lexicon.ID_LEADS]),
};

const BEFORE_WORDS = 25;
const AFTER_WORDS = 12;

/**
 * In a redacted transcript the placeholder tells what was said aloud. Redaction would rather take out too much: what nobody named or
 * asked for nearby may have been any figures.
 */
export function redactedLeaks({ conversation }: CallFacts, voice: Turn['role']): Leak[] {
  const { turns, tokens: all } = conversation;
  return turns.flatMap(({ role, index, tokens }) =>
    tokens.flatMap(({ word, at }): Leak[] => {
      const what = role === voice ? REDACTED.get(kindOfPlaceholder(word)) : undefined;
      if (what === undefined) return [];
      const from = Math.max(turns[index - 2]?.from ?? turns[index - 1]?.from ?? 0, at - BEFORE_WORDS);
      const near = all.slice(from, Math.min(turns[index]?.to ?? at, at + AFTER_WORDS));
      return [{ what, from: at, to: at + 1, isSure: findPhrases(near, NAMES[what]).length > 0 }];
    }),
  );
}
