import { createHash } from 'node:crypto';
import { z } from 'zod';

export const headerName = 'header.json';
export const manifestName = 'manifest.json';
export const keyName = 'secrets.key';
export const tablesFolder = 'database/';
export const objectsFolder = 'objects/';

export const formatVersion = 1;
/** Longer streams are cut into parts of this size, so that a piece fits into memory. */
export const partBytes = 8_000_000;
export const entryBytesMax = 64_000_000;

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** Comes first: what has to be known before anything is restored. */
export const Header = z.object({
  format: z.int().positive(),
  /** Of Earshot, by which the backup was made. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** What the database has seen, in order: restored are tables as these migrations make them. */
  migrations: z.array(z.object({ tag: z.string(), hash: z.string() })),
  /** In an order in which no table refers to one that comes later. */
  tables: z.array(z.object({ name, columns: z.array(name) })),
  /** Names of the keys that secrets in the database are sealed with. */
  sealedBy: z.array(z.string()),
  /** Name of the key that the backup holds; null where the service was configured with its keys. */
  ownKey: z.string().nullable(),
});
export type Header = z.infer<typeof Header>;

/** Comes last, so that a backup without one is known to be cut off. */
export const Manifest = z.object({
  rows: z.record(z.string(), z.int().nonnegative()),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/) })),
  objects: z.object({ count: z.int(), sizeBytes: z.int() }),
  /** Recordings that records name and the storage did not have. */
  missing: z.array(z.string()),
  /** Over everything else that the backup holds. */
  digest: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Sums up streams in whatever order they come, so that a backup that was unpacked and packed again is still whole. */
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

/** The rank keeps the order where names are sorted. */
export function tableStream(index: number, table: string): string {
  return `${tablesFolder}${String(index + 1).padStart(3, '0')}-${table}`;
}

/** No key of ours has a `~`, and a folder can hold what one key and the beginning of another share. */
export function objectStream(key: string): string {
  const [first = '', ...rest] = key.split('/');
  return `${objectsFolder}${[first, rest.join('~')].filter(Boolean).join('/')}`;
}

export function keyOfStream(stream: string): string {
  return stream.slice(objectsFolder.length).replaceAll('~', '/');
}
