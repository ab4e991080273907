import { AppError } from './errors.ts';

const nestingMax = 64;

/**
 * One rule for every input: Postgres can store it, and whoever recurses into it survives. Text holds neither NUL nor
 * half a surrogate pair, numbers are finite, objects are plain (or dates), nesting ends. Throws VALIDATION_ERROR.
 * Walks without recursion, since it meets the input before anything has vouched for its depth.
 */
export function assertStorable(input: unknown): void {
  const rest: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { value, depth } = item;
    const problem = problemOf(value, depth);
    if (problem) throw new AppError('VALIDATION_ERROR', problem);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, nested] of Object.entries(value)) {
      rest.push({ value: key, depth }, { value: nested, depth: depth + 1 });
    }
  }
}

/** The same as a question, for what no client has sent. */
export function isStorable(value: unknown): boolean {
  try {
    assertStorable(value);
    return true;
  } catch {
    return false;
  }
}

function problemOf(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) return 'Text must not contain the NUL character.';
      return value.isWellFormed() ? null : 'Text must be valid Unicode: it holds half a surrogate pair.';
    case 'number':
      return Number.isFinite(value) ? null : 'Numbers must be finite.';
    case 'object':
      if (value === null || (value instanceof Date && !Number.isNaN(value.getTime()))) return null;
      if (depth >= nestingMax) return `The body is nested deeper than ${nestingMax} levels.`;
      return isPlain(value) ? null : 'Values must be plain JSON.';
    case 'boolean':
    case 'undefined':
      return null;
    default:
      return 'Values must be plain JSON.';
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
