import type { Readable } from 'node:stream';

/**
 * Stores recordings under keys that the service creates itself, such as `<orgId>/<recordId>`: one to four parts of
 * `[A-Za-z0-9_-]`, at most 200 characters, never user input. An object is complete or absent.
 */
export type ObjectStorage = {
  /**
   * Stores the stream, replacing an existing object. Resolves once it is safe; rejects with the stream's error or a
   * StorageError, and then leaves nothing behind.
   */
  put: (key: string, body: ObjectBody, options?: PutOptions) => Promise<StoredObject>;
  /** Opens an object for reading, from `start` to `end` (bytes from 0, both inclusive). Throws StorageError. */
  open: (key: string, range?: ByteRange) => Promise<Readable>;
  /**
   * Reads a range into new memory that belongs to the caller. Faster than a stream. Throws StorageError, also if the
   * object ends before the range.
   */
  read: (key: string, range: Required<ByteRange>) => Promise<Buffer>;
  /** Null if there is no such object. */
  stat: (key: string) => Promise<ObjectStat | null>;
  /** Deletes an object and the remains of interrupted `put`s. A missing object is fine. */
  remove: (key: string) => Promise<void>;
  /** Provides the object as a local, read-only file, for programs that need to seek. */
  withLocalFile: <T>(key: string, use: (path: string) => Promise<T>) => Promise<T>;
  /** All objects whose key starts with the prefix (whole parts, such as `<orgId>/`), in any order. */
  list: (prefix?: string) => AsyncIterable<ObjectStat>;
  /** Deletes the remains of puts that were interrupted before that time, and returns their number. */
  removeIncomplete: (before: Date) => Promise<number>;
  /** Throws StorageError if objects cannot be written now. */
  check: () => Promise<void>;
  /** Throws StorageError, without a request, if the last check failed. Only a storage with a breaker has this. */
  assertUsable?: () => void;
  /**
   * An address at which anybody who has it can read the object for a while. Only if the storage supports that and is
   * configured to.
   */
  signedUrl?: (key: string, options: SignedUrlOptions) => Promise<string>;
};

/** A stream, or anything else that yields bytes. */
export type ObjectBody = AsyncIterable<Uint8Array>;
export type PutOptions = {
  /**
   * Whether the chunks may be destroyed once they are stored, as nobody else uses them. Their memory is then reused at
   * once, which saves the garbage collector most of its work on large bodies.
   */
  isBodyDisposable?: boolean;
};
/** Headers that the storage should send with the object. */
export type SignedUrlOptions = { contentType: string; contentDisposition: string; lifetimeSeconds: number };
export type ByteRange = { start?: number; end?: number };
export type StoredObject = { sizeBytes: number; sha256: string };
export type ObjectStat = { key: string; sizeBytes: number; modifiedAt: Date };

type StorageErrorOptions = { cause?: unknown; isSilent?: boolean };

/** `unavailable` may be temporary (a full disk, an outage), `not_found` is not. */
export class StorageError extends Error {
  readonly reason: 'not_found' | 'unavailable';
  /** The storage did not answer, so it cannot be read either. */
  readonly isSilent: boolean;

  constructor(reason: StorageError['reason'], message: string, { cause, isSilent = false }: StorageErrorOptions = {}) {
    super(message, { cause });
    this.name = 'StorageError';
    this.reason = reason;
    this.isSilent = isSilent;
  }
}

const keyPattern = /^(?=.{1,200}$)[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+){0,3}$/;

/** Throws for a key that the service cannot have created: a bug, not a bad request. */
export function assertKey(key: string): void {
  if (!keyPattern.test(key)) throw new TypeError(`${JSON.stringify(key)} is not an object key.`);
}

/** Whether this is the key of an object whose first part is `owner`. */
export function isKeyBelow(owner: string, key: string): boolean {
  return keyPattern.test(key) && key.startsWith(`${owner}/`);
}
