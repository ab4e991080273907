import { AppError, validationError } from './errors.ts';

const nestingMax = 64;
/** A longer path helps nobody. */
const namesMax = 12;

/** JavaScript gives these names a meaning wherever an object is copied. */
const inheritedNames = new Set(['__proto__', 'constructor', 'prototype']);

type Item = { value: unknown; depth: number; name: string; parent: Item | null };

/**
 * One rule for every input: Postgres must be able to store it, and recursion over it must be safe. Text contains no NUL
 * and no lone surrogates, numbers are finite, objects are plain (or dates), no field has the name of an inherited
 * property, and nesting is limited. Throws VALIDATION_ERROR with the path, below `within` if the input is part of a
 * request. Does not recurse itself, as the depth is still unchecked.
 */
export function assertStorable(input: unknown, within = 'input'): void {
  const rest: Item[] = [{ value: input, depth: 0, name: within, parent: null }];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { value, depth } = item;
    const problem = problemOf(value, depth);
    if (problem) throw validationError(placeOf(item), problem);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, nested] of Object.entries(value)) {
      const field = { value: nested, depth: depth + 1, name, parent: item };
      const refusal = inheritedNames.has(name) ? `A field cannot be named \`${name}\`.` : problemOf(name, depth);
      if (refusal) throw validationError(placeOf(field), refusal);
      rest.push(field);
    }
  }
}

/** Like `assertStorable`, for values that no client has sent. */
export function isStorable(value: unknown): boolean {
  try {
    assertStorable(value);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** `settings.channelMap`, `metadata.crm.stage`: a whole request needs no prefix. */
function placeOf(item: Item): string {
  const names: string[] = [];
  for (let place: Item | null = item; place; place = place.parent) names.unshift(place.name);
  const shown = names.length > 1 && names[0] === 'input' ? names.slice(1) : names;
  const place = shown.length > namesMax ? [...shown.slice(0, namesMax), '…'] : shown;
  return place.join('.').toWellFormed().replaceAll('\0', '\ufffd');
}

function problemOf(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) return 'Text must not contain the NUL character.';
      return value.isWellFormed() ? null : 'Text must be valid Unicode: it contains a lone surrogate.';
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
