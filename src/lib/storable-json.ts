import { validationError } from './errors.ts';

/** Escapes may spell what Postgres does not store: NUL, and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])|__proto__|\\u005f/i;

type JsonSource = { text: string; path: string; depthMax?: number };

/**
 * Parses JSON that is going to be stored. Broken surrogates are repaired.
 * Throws VALIDATION_ERROR at `path` for what is no JSON, is nested too deeply, or holds NUL or `__proto__`.
 */
export function parseStorableJson({ text, path, depthMax = 32 }: JsonSource): unknown {
  if (text.includes('\0')) throw nul(path);
  const json = parse(text.toWellFormed(), path);
  if (isDeeperThan(json, depthMax)) throw validationError(path, `${path} is nested more than ${depthMax} levels deep.`);
  if (!unstorable.test(text)) return json;
  return JSON.parse(text.toWellFormed(), (key, value: unknown) => {
    if (key.includes('\0')) throw nul(path);
    if (key === '__proto__') throw validationError(path, `${path} may not have the key __proto__.`);
    if (typeof value !== 'string') return value;
    if (value.includes('\0')) throw nul(path);
    return value.toWellFormed();
  }) as unknown;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (err) {
    // What follows the comma quotes the content itself.
    const reason = err instanceof Error ? err.message.replace(/, (?:\.\.\.)?".*/s, '') : '';
    throw validationError(path, `${path} is not valid JSON: ${reason.slice(0, 200)}.`);
  }
}

/** Walks level by level, because a recursion would overflow on exactly what it is meant to find. */
function isDeeperThan(json: unknown, depthMax: number): boolean {
  let level = [json];
  for (let depth = 0; depth <= depthMax; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function nul(path: string) {
  return validationError(path, `${path} holds a NUL character.`);
}
