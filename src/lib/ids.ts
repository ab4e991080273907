import { randomUUID } from 'node:crypto';
import { typeid } from 'typeid-js';

/** Prefixes of TypeIDs: `<prefix>_` + a UUIDv7 in base32, so ids sort by creation. */
export const idPrefix = {
  org: 'org',
  user: 'usr',
  project: 'prj',
  record: 'rec',
  analysis: 'ana',
  annotation: 'ann',
  review: 'rev',
  alert: 'alr',
  profile: 'prf',
  event: 'evt',
  token: 'tok',
  invite: 'inv',
  session: 'ses',
  segment: 'seg',
} as const;

export type IdEntity = keyof typeof idPrefix;

export function newId(entity: IdEntity): string {
  return typeid(idPrefix[entity]).toString();
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether the text could be an id of the entity. A malformed id reads as an unknown one. */
export function isId(entity: IdEntity, text: string): boolean {
  const prefix = `${idPrefix[entity]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length));
}

export function newRequestId(): string {
  return randomUUID();
}
