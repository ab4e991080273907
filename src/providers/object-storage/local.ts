import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, open, opendir, readdir, rename, rm, rmdir, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  assertKey,
  type ByteRange,
  type ObjectBody,
  type ObjectStat,
  type ObjectStorage,
  type PutOptions,
  StorageError,
  type StoredObject,
} from './interface.ts';
import { writeBody } from './local-write.ts';

/** Holds incomplete files. A key contains no dot, so no object ever lies here. */
const incomingName = '.incoming';

/** Stores objects as files below a directory, which is created if missing. Several processes may share it. */
export function createLocalStorage({ directory }: { directory: string }): ObjectStorage {
  const root = resolve(directory);
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(root, ...key.split('/'));
  };
  return {
    put: (key, body, options) => guarded(() => put({ root, path: pathOf(key), key }, body, options)),
    open: (key, range) => guarded(() => openObject(pathOf(key), range)),
    read: (key, range) => guarded(() => readObject(pathOf(key), range)),
    stat: (key) => guarded(() => statObject(key, pathOf(key))),
    remove: (key) => guarded(() => removeObject(root, { key, path: pathOf(key) })),
    async withLocalFile(key, use) {
      const path = pathOf(key);
      await guarded(() => stat(path));
      return use(path);
    },
    list: (prefix = '') => listObjects(root, prefix),
    removeIncomplete: (before) => guarded(() => removeIncomplete(root, before)),
    check: () => guarded(() => check(root)),
  };
}

type Target = { root: string; path: string; key: string };

async function put(
  { root, path, key }: Target,
  body: ObjectBody,
  { isBodyDisposable = false }: PutOptions = {},
): Promise<StoredObject> {
  // A stream may fail before it is read: it keeps the error instead of crashing the process.
  const stream = body instanceof Readable ? body : undefined;
  stream?.on('error', () => {});
  const incoming = join(root, incomingName, incomingFileName(key));
  let file: FileHandle | undefined;
  try {
    file = await openIncoming(incoming);
    const stored = await writeBody(body, { file, isBodyDisposable });
    await file.sync();
    await file.close();
    await moveInto(incoming, path);
    return stored;
  } catch (err) {
    stream?.destroy();
    await file?.close().catch(() => {});
    await rm(incoming, { force: true });
    throw err;
  }
}

async function moveInto(incoming: string, path: string): Promise<void> {
  await makeDirectory(dirname(path));
  try {
    await rename(incoming, path);
  } catch (err) {
    // Another object's removal may have deleted the empty folder meanwhile.
    if (!hasCode(err, 'ENOENT')) throw err;
    await makeDirectory(dirname(path));
    await rename(incoming, path);
  }
  await syncDirectory(dirname(path));
}

async function openIncoming(path: string): Promise<FileHandle> {
  await makeDirectory(dirname(path));
  return open(path, 'wx', 0o600);
}

async function openObject(path: string, { start, end }: ByteRange = {}): Promise<Readable> {
  const file = await open(path, 'r');
  return file.createReadStream({
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    highWaterMark: 256 * 1024,
  });
}

const openDescriptor = promisify(fs.open);
const readDescriptor = promisify(fs.read);

/** Plain descriptors: every call needs a thread switch, and file handles and streams add calls of their own. */
async function readObject(path: string, { start, end }: Required<ByteRange>): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(end - start + 1);
  const descriptor = await openDescriptor(path, 'r');
  try {
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await readDescriptor(descriptor, bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) throw new StorageError('unavailable', 'The object is shorter than it should be.');
      done += bytesRead;
    }
  } finally {
    // Nothing was written, so closing cannot lose anything.
    fs.close(descriptor, () => {});
  }
  return bytes;
}

async function statObject(key: string, path: string): Promise<ObjectStat | null> {
  try {
    const { size, mtime } = await stat(path);
    return { key, sizeBytes: size, modifiedAt: mtime };
  } catch (err) {
    if (hasCode(err, 'ENOENT')) return null;
    throw err;
  }
}

async function removeObject(root: string, { key, path }: { key: string; path: string }): Promise<void> {
  const prefix = incomingPrefix(key);
  for (const name of await readIncoming(root)) {
    if (name.startsWith(prefix)) await rm(join(root, incomingName, name), { force: true });
  }
  await rm(path, { force: true });
  // The folder of an organization stays; that of a record is deleted with its last object.
  if (key.split('/').length > 2) await rmdir(dirname(path)).catch(() => {});
}

async function removeIncomplete(root: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await readIncoming(root)) {
    const path = join(root, incomingName, name);
    const found = await stat(path).catch(() => null);
    if (!found || found.mtime >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** A directory is read in portions, so a store of any size is listed in constant memory. */
async function* listObjects(root: string, prefix: string): AsyncGenerator<ObjectStat> {
  const parts = prefix.split('/').filter(Boolean);
  if (parts.length > 0) assertKey(parts.join('/'));
  yield* listDirectory(root, join(root, ...parts));
}

async function* listDirectory(root: string, directory: string): AsyncGenerator<ObjectStat> {
  const entries = await opendir(directory).catch((err: unknown) => {
    if (hasCode(err, 'ENOENT')) return null;
    throw toStorageError(err);
  });
  if (!entries) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* listDirectory(root, path);
    if (!entry.isFile()) continue;
    const found = await statObject(relative(root, path).split(sep).join('/'), path);
    if (found) yield found;
  }
}

async function check(root: string): Promise<void> {
  const path = join(root, incomingName, `check~${randomUUID()}`);
  await makeDirectory(dirname(path));
  try {
    await writeFile(path, 'ok', { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(path, { force: true });
  }
}

/** No key contains `~`, so the files of one key are never mistaken for another's. */
function incomingPrefix(key: string): string {
  return `${key.replaceAll('/', '~')}~~`;
}

function incomingFileName(key: string): string {
  return incomingPrefix(key) + randomUUID();
}

async function readIncoming(root: string): Promise<string[]> {
  try {
    return await readdir(join(root, incomingName));
  } catch (err) {
    if (hasCode(err, 'ENOENT')) return [];
    throw err;
  }
}

async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first) await syncDirectory(dirname(first));
}

/** A rename survives a power cut only once the directory is synced. Not every system supports that. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (err) {
    if (!hasCode(err, 'EINVAL') && !hasCode(err, 'EPERM')) throw err;
  } finally {
    await directory.close();
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    throw toStorageError(err);
  }
}

/** Error codes of the file system; other errors come from the stored stream. */
const unavailableCodes = new Set('ENOSPC EDQUOT EFBIG EROFS EIO EACCES EPERM EMFILE ENFILE ENOTDIR EEXIST'.split(' '));

function toStorageError(err: unknown): unknown {
  if (!(err instanceof Error) || !('code' in err) || !('syscall' in err)) return err;
  if (err.code === 'ENOENT') return new StorageError('not_found', 'There is no such object.', { cause: err });
  if (!unavailableCodes.has(String(err.code))) return err;
  return new StorageError('unavailable', `The object storage cannot be used (${String(err.code)}).`, { cause: err });
}

function hasCode(err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code;
}
