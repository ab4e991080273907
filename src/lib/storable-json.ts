import { validationError } from './errors.ts';
import { assertStorable } from './storable.ts';

/** Parses JSON that is going to be stored. Throws VALIDATION_ERROR at `path` if it is invalid or cannot be stored. */
export function parseStorableJson({ text, path }: { text: string; path: string }): unknown {
  const json = parse(text, path);
  assertStorable(json, path);
  return json;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    // After the comma, the message quotes the content itself.
    const reason = err instanceof Error ? err.message.replace(/, (?:\.\.\.)?".*/s, '') : '';
    throw validationError(path, `${path} is not valid JSON: ${reason.slice(0, 200)}.`);
  }
}
