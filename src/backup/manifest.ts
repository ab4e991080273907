import { createHash } from 'node:crypto';
import { z } from 'zod';

export const headerName = 'header.json';
export const manifestName = 'manifest.json';
export const keyName = 'secrets.key';
export const tablesFolder = 'database/';
export const objectsFolder = 'objects/';

export const formatVersion = 1;
/** Longer streams are cut into parts of this size, so that each fits into memory. */
export const partBytes = 8_000_000;
export const entryBytesMax = 64_000_000;

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** The first piece: what must be known before anything is restored. */
export const Header = z.object({
  format: z.int().positive(),
  /** The version of Earshot that made the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations of the database, in order: tables are restored as these migrations made them. */
  migrations: z.array(z.object({ tag: z.string(), hash: z.string() })),
  /** In an order in which no table refers to a later one. */
  tables: z.array(z.object({ name, columns: z.array(name) })),
  /** Names of the keys that secrets in the database are sealed with. */
  sealedBy: z.array(z.string()),
  /** Name of the key in the backup; null if the service got its keys from the configuration. */
  ownKey: z.string().nullable(),
});
export type Header = z.infer<typeof Header>;

/** The last piece: a backup without it was cut off. */
export const Manifest = z.object({
  rows: z.record(z.string(), z.int().nonnegative()),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/) })),
  objects: z.object({ count: z.int(), sizeBytes: z.int() }),
  /** Recordings that records name and that were missing from the storage. */
  missing: z.array(z.string()),
  /** Digest of everything else in the backup. */
  digest: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Combines streams in any order, so that a backup that was unpacked and packed again is still valid. */
export function createDigest() {
  let sum = 0n;
  return {
    add(stream: { name: string; sizeBytes: number; sha256: string }): void {
      const line = `${stream.name} ${stream.sizeBytes} ${stream.sha256}`;
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % (1n << 256n);
    },
    read: (): string => sum.toString(16).padStart(64, '0'),
  };
}
export type Digest = ReturnType<typeof createDigest>;

/** Numbered, so that tables keep their order where entries are sorted by name. */
export function tableStream(index: number, table: string): string {
  return `${tablesFolder}${String(index + 1).padStart(3, '0')}-${table}`;
}

/** Joined by `~`, which no key contains: with `/`, a key below another would need a folder where there is a file. */
export function objectStream(key: string): string {
  const [first = '', ...rest] = key.split('/');
  return `${objectsFolder}${[first, rest.join('~')].filter(Boolean).join('/')}`;
}

export function keyOfStream(stream: string): string {
  return stream.slice(objectsFolder.length).replaceAll('~', '/');
}
