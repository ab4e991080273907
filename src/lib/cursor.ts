/** Where a page ended: the sort key of its last item, and its id. */
export type Position = { value: Date | number | string | null; id: string };

/** `d` for a date, `v` for anything else. */
type Written = [sum: string, kind: 'd' | 'v', value: number | string | null, id: string];

/**
 * A cursor of one list with certain filters and in a certain order. It holds a sum of all that, so one that was cut,
 * changed or taken elsewhere is told; it is no secret, and gives access to nothing.
 */
export function writeCursor({ value, id }: Position, scope: string): string {
  const kind = value instanceof Date ? 'd' : 'v';
  const plain = value instanceof Date ? value.getTime() : value;
  const written: Written = [sumOf(scope, kind, plain, id), kind, plain, id];
  return toBase64Url(JSON.stringify(written));
}

/** Whether it is a cursor of this list. */
export function isCursorOf(cursor: string, scope: string): boolean {
  const written = parse(cursor);
  if (!isWritten(written)) return false;
  const [sum, ...position] = written;
  return sum === sumOf(scope, ...position);
}

/** Of a cursor that has been checked. */
export function readCursor(cursor: string): Position {
  const written = parse(cursor);
  if (!isWritten(written)) throw new Error('The cursor was not checked.');
  const [, kind, value, id] = written;
  return { value: kind === 'd' ? new Date(Number(value)) : value, id };
}

function isWritten(written: unknown): written is Written {
  return Array.isArray(written) && written.length === 4 && typeof written[3] === 'string';
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(fromBase64Url(cursor));
  } catch {
    return undefined;
  }
}

function sumOf(...parts: unknown[]): string {
  const text = JSON.stringify(parts);
  return hash(text, 0) + hash(text, 1);
}

/** 32-bit FNV-1a over UTF-16 code units, with a seed. */
function hash(text: string, seed: number): string {
  let sum = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
    sum ^= sum >>> 15;
  }
  return (sum >>> 0).toString(36);
}

// The dashboard loads this module too, so it uses nothing from Node.
function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
