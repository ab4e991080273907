import { z } from 'zod';
import { validationError } from '../lib/errors.ts';
import { assertStorable } from '../lib/storable.ts';

/** For procedures without parameters. */
export const NoInput = z.strictObject({}).optional();

/** Fields that hold ids. They only look up what exists, and are never stored as sent. */
const naming = new Set([
  'id',
  'ids',
  'orgId',
  'projectId',
  'projectIds',
  'recordId',
  'analysisId',
  'annotationId',
  'profileId',
  'portalId',
]);

/**
 * The input as procedures parse it. Throws VALIDATION_ERROR for what cannot be stored; an unstorable id, however, is
 * just an unknown id.
 */
export function readableInput(raw: unknown): unknown {
  const input = isRecord(raw) ? withReadableNames(raw) : raw;
  assertStorable(input);
  return input;
}

function withReadableNames(input: Record<string, unknown>): Record<string, unknown> {
  const odd = Object.entries(input).filter(([name, value]) => naming.has(name) && !isReadable(value));
  if (odd.length === 0) return input;
  return { ...input, ...Object.fromEntries(odd.map(([name, value]) => [name, readable(value)])) };
}

function isReadable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isReadable);
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}

/**
 * Rejects `__proto__` in RPC input, which parsing would silently drop. Runs before the transformer, which copies
 * objects. Does not recurse, as JSON may nest to any depth.
 */
export function refusePrototypes(sent: unknown): void {
  const rest = [sent];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) throw validationError('__proto__', 'A field cannot be named `__proto__`.');
    for (const part of Object.values(value)) rest.push(part);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
