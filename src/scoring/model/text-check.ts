import type { CallFacts } from '../facts/facts.ts';
import { ordinalValue, readNumbers } from '../text/numbers.ts';
import { hasMarkup, toPlainText } from './plain-text.ts';

/** The text as it may be shown, or null where it may not. */
export type TextCheck = (text: string, lengthMax: number) => string | null;

/** The same in the other languages that reports are written in. */
const SCORE_TALK_ABROAD =
  /(?<!\p{L})(?:punktzahl|punkte|bewertet|puntuaci[oó]n|puntos|балл(?:ы|ов|а)?|оценк[аиу])(?!\p{L})/iu;

/** Scores are computed; what a model says of them is left out. */
const SCORE_TALK =
  /\b(?:scor(?:e|es|ed|ing)|rubric|gr(?:ade|ades|aded)|rat(?:ed|ing)|full marks|system prompt)\b|\p{N}\s*\/\s*100\b|\b\p{N}+ points?\b/iu;

/**
 * Makes the check that every text of a model goes through: plain, with something to read, without figures that the call
 * does not have, and without a word on scores. Markup and addresses have no place in it, so a text with any is not mended.
 */
export function createTextCheck({ conversation }: CallFacts): TextCheck {
  const { tokens } = conversation;
  const figures = [
    ...conversation.spoken.flatMap(({ segment }) => segment.text.normalize('NFKC').match(/\p{N}+/gu) ?? []),
    ...readNumbers(tokens).flatMap(({ digits, value }) => [digits, String(value ?? '')]),
    ...tokens.flatMap(({ word }) => ordinalValue(word) ?? []).map(String),
  ].join(' ');
  return (text, lengthMax) => {
    const plain = toPlainText(text, lengthMax);
    if (!/\p{L}{2}/u.test(plain) || SCORE_TALK.test(plain) || SCORE_TALK_ABROAD.test(plain) || hasMarkup(text))
      return null;
    // Of the text as it came: what is shown has no long numbers any more.
    const own = text.normalize('NFKC').match(/\p{N}+/gu) ?? [];
    return own.every((figure) => figures.includes(figure)) ? plain : null;
  };
}
