import type { RedactedWords, WordsToRedact } from './redact-words.ts';

export { swapRoles } from './swap-roles.ts';

/** Redaction loads the numbering plans of the world, so it is loaded only when used. */
export async function redactStored(words: WordsToRedact): Promise<RedactedWords> {
  const redaction = await import('./redact-words.ts');
  return redaction.redactStored(words);
}
