import { deserialize, serialize, type SuperJSONResult } from 'superjson';
import { AppError } from '../lib/errors.ts';
import { isPlainJson, isStored } from '../lib/plain-json.ts';
import { refusePrototypes } from './input.ts';

type Serialized = SuperJSONResult;
type Annotations = Record<string, ['Date'] | ['undefined']>;

const depthMax = 100;
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * superjson at the speed of JSON. superjson itself takes ten times as long to serialize an answer as producing it
 * takes, since it looks for thirty kinds of values and for repeated objects. Our answers are JSON with dates; anything
 * else is left to superjson.
 */
export const transformer = {
  serialize(value: unknown): Serialized {
    const annotations: Annotations = {};
    const json = writable(value, { parent: null, key: '', depth: 0 }, annotations);
    if (json === elsewhere) return serialize(value);
    if (isEmpty(annotations)) return { json } as Serialized;
    return { json, meta: { values: annotations, v: 1 } } as Serialized;
  },
  deserialize<T>(sent: Serialized): T {
    refusePrototypes(sent);
    return deserialize<T>(sent);
  },
};

/** Marks values that only superjson can write. */
const elsewhere = Symbol('elsewhere');

/** The position of an object; null is the root. The path is built only for values that need an annotation. */
type PathNode = { parent: PathNode | null; key: string; depth: number };

function writable(value: unknown, place: PathNode, annotations: Annotations): unknown {
  if (isPlain(value)) return value;
  if (typeof value !== 'object' || value === null || place.depth > depthMax) return elsewhere;
  if (Array.isArray(value)) return writableArray(value, place, annotations);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return writableRecord(value, place, annotations);
  // superjson annotates a top-level date differently.
  if (!(value instanceof Date) || Number.isNaN(value.getTime()) || !place.parent) return elsewhere;
  annotations[pathOf(place)] = ['Date'];
  return value.toISOString();
}

function writableArray(values: unknown[], place: PathNode, annotations: Annotations): unknown {
  if (isPlainJson(values)) return values;
  if (isStored(values))
    throw new AppError('PAYLOAD_TOO_LARGE', 'An answer as long as this is not part of a batch: ask for it alone.');
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (isPlain(value)) continue;
    const written = writable(value, { parent: place, key: String(index), depth: place.depth + 1 }, annotations);
    if (written === elsewhere) return elsewhere;
    if (written === value) continue;
    copy ??= [...values];
    copy[index] = written;
  }
  return copy ?? values;
}

function writableRecord(record: object, parent: PathNode, annotations: Annotations): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(record)) {
    if (refusedKeys.has(key)) return elsewhere;
    if (isPlain(value)) continue;
    const place = { parent, key, depth: parent.depth + 1 };
    const written = value === undefined ? null : writable(value, place, annotations);
    if (written === elsewhere) return elsewhere;
    if (value === undefined) annotations[pathOf(place)] = ['undefined'];
    if (written === value) continue;
    copy ??= { ...record };
    copy[key] = written;
  }
  return copy ?? record;
}

/** Whether JSON represents the value exactly. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function pathOf({ parent, key }: PathNode): string {
  const escaped = key.includes('.') || key.includes('\\') ? key.replaceAll('\\', '\\\\').replaceAll('.', '\\.') : key;
  return parent?.parent ? `${pathOf(parent)}.${escaped}` : escaped;
}

function isEmpty(annotations: Annotations): boolean {
  for (const _ in annotations) return false;
  return true;
}
