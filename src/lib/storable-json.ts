import { AppError, validationError } from './errors.ts';
import { assertStorable } from './storable.ts';

/**
 * Parses JSON that is going to be stored.
 * Throws VALIDATION_ERROR at `path` for what is no JSON, cannot be stored, or has the key `__proto__`.
 */
export function parseStorableJson({ text, path }: { text: string; path: string }): unknown {
  const json = parse(text, path);
  try {
    assertStorable(json);
  } catch (err) {
    throw err instanceof AppError ? validationError(path, err.message) : err;
  }
  return json;
}

/** Escapes can spell the key as well. */
const mayNamePrototype = /__proto__|\\u005f/i;

function parse(text: string, path: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (mayNamePrototype.test(text)) JSON.parse(text, (key, value: unknown) => refusePrototype(key, value, path));
    return json;
  } catch (err) {
    if (err instanceof AppError) throw err;
    // What follows the comma quotes the content itself.
    const reason = err instanceof Error ? err.message.replace(/, (?:\.\.\.)?".*/s, '') : '';
    throw validationError(path, `${path} is not valid JSON: ${reason.slice(0, 200)}.`);
  }
}

function refusePrototype(key: string, value: unknown, path: string): unknown {
  if (key === '__proto__') throw validationError(path, `${path} may not have the key __proto__.`);
  return value;
}
