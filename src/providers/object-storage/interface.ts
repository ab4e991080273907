import type { Readable } from 'node:stream';

/**
 * Keeps recordings under keys that the service makes itself, such as `<orgId>/<recordId>`: one to four parts of
 * `[A-Za-z0-9_-]`, 200 characters in all, never anything that a user typed. An object is there as a whole or not at all.
 */
export type ObjectStorage = {
  /**
   * Stores what the stream yields, replacing an object of that key. Resolves when it is safe there; rejects with
   * the stream's own error or a StorageError, and then nothing is left behind.
   */
  put: (key: string, body: ObjectBody, options?: PutOptions) => Promise<StoredObject>;
  /** Opens an object for reading, from `start` to `end` (bytes from 0, both inclusive). Throws StorageError. */
  open: (key: string, range?: ByteRange) => Promise<Readable>;
  /**
   * Reads a range that memory may hold at once, in memory that belongs to the caller alone. Quicker than a stream.
   * Throws StorageError, also where the object ends before the range does.
   */
  read: (key: string, range: Required<ByteRange>) => Promise<Buffer>;
  /** Null where there is no such object. */
  stat: (key: string) => Promise<ObjectStat | null>;
  /** Removes an object and whatever an interrupted `put` left of it. An object that is not there is fine. */
  remove: (key: string) => Promise<void>;
  /** Lends the object as a local file that must not be changed, for programs that need to seek in it. */
  withLocalFile: <T>(key: string, use: (path: string) => Promise<T>) => Promise<T>;
  /** All objects whose key starts with the prefix (whole parts, such as `<orgId>/`), in no particular order. */
  list: (prefix?: string) => AsyncIterable<ObjectStat>;
  /** Removes what interrupted puts left behind before that time, and tells how many. */
  removeIncomplete: (before: Date) => Promise<number>;
  /** Throws StorageError where objects cannot be written now. */
  check: () => Promise<void>;
  /** Throws StorageError, without asking, where the last check has failed. Only a storage with a breaker knows. */
  assertUsable?: () => void;
  /**
   * An address from which anybody who has it can read the object for a while. Only where the storage can do that and
   * is meant to.
   */
  signedUrl?: (key: string, options: SignedUrlOptions) => Promise<string>;
};

/** A stream, or anything else that yields bytes. */
export type ObjectBody = AsyncIterable<Uint8Array>;
export type PutOptions = {
  /**
   * Whether the chunks may be taken away once they are stored: nobody else looks at them again. Their memory is then
   * used anew at once, which saves the garbage collector most of its work on large bodies.
   */
  isBodyDisposable?: boolean;
};
/** What the storage is to say of the object, in headers of those names. */
export type SignedUrlOptions = { contentType: string; contentDisposition: string; lifetimeSeconds: number };
export type ByteRange = { start?: number; end?: number };
export type StoredObject = { sizeBytes: number; sha256: string };
export type ObjectStat = { key: string; sizeBytes: number; modifiedAt: Date };

type StorageErrorOptions = { cause?: unknown; isSilent?: boolean };

/** `unavailable` may pass (a full disk, a storage that is down), `not_found` will not. */
export class StorageError extends Error {
  readonly reason: 'not_found' | 'unavailable';
  /** Nobody answered, so there is nothing to be read, either. */
  readonly isSilent: boolean;

  constructor(reason: StorageError['reason'], message: string, { cause, isSilent = false }: StorageErrorOptions = {}) {
    super(message, { cause });
    this.name = 'StorageError';
    this.reason = reason;
    this.isSilent = isSilent;
  }
}

const keyPattern = /^(?=.{1,200}$)[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+){0,3}$/;

/** Throws for a key that the service cannot have made: a mistake in the code, not in a request. */
export function assertKey(key: string): void {
  if (!keyPattern.test(key)) throw new TypeError(`${JSON.stringify(key)} is not an object key.`);
}

/** Whether it is the key of an object whose first part is that one. */
export function isKeyBelow(owner: string, key: string): boolean {
  return keyPattern.test(key) && key.startsWith(`${owner}/`);
}
