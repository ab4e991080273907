import { createHash, randomUUID } from 'node:crypto';
import { typeid, TypeID } from 'typeid-js';

/** Prefixes of TypeIDs: `<prefix>_` + a UUIDv7 in base32, so ids sort by creation. */
export const idPrefix = {
  org: 'org',
  user: 'usr',
  project: 'prj',
  record: 'rec',
  change: 'chg',
  analysis: 'ana',
  annotation: 'ann',
  review: 'rev',
  alert: 'alr',
  webhook: 'whk',
  delivery: 'dlv',
  profile: 'prf',
  portal: 'ptl',
  event: 'evt',
  token: 'tok',
  invite: 'inv',
  match: 'mch',
  session: 'ses',
  accountEvent: 'ace',
  passkey: 'pky',
  credit: 'crd',
  segment: 'seg',
} as const;

export type IdEntity = keyof typeof idPrefix;
export const idEntities = Object.keys(idPrefix) as IdEntity[];

export function newId(entity: IdEntity): string {
  return typeid(idPrefix[entity]).toString();
}

/** The id of something computed rather than stored: the same for the same seed, and sorted by `at` like other ids. */
export function derivedId(entity: IdEntity, { at, seed }: { at: Date; seed: string }): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return TypeID.fromUUIDBytes(idPrefix[entity], bytes).toString();
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether the text is a well-formed id of the entity. A malformed id is treated as an unknown one. */
export function isId(entity: IdEntity, text: string): boolean {
  const prefix = `${idPrefix[entity]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length));
}

export function newRequestId(): string {
  return randomUUID();
}
