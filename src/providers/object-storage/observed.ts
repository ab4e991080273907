import { observed } from '../../lib/observe.ts';
import type { ObjectStorage } from './interface.ts';

/** Counts, times and traces storage operations. A stream counts until it is opened. */
export function observedStorage(provider: 'files' | 's3', storage: ObjectStorage): ObjectStorage {
  const timed = <T>(operation: string, work: () => Promise<T>) => observed({ provider, operation }, work);
  const { signedUrl } = storage;
  return {
    put: (...args) => timed('put', () => storage.put(...args)),
    open: (...args) => timed('open', () => storage.open(...args)),
    read: (...args) => timed('read', () => storage.read(...args)),
    stat: (...args) => timed('stat', () => storage.stat(...args)),
    remove: (...args) => timed('remove', () => storage.remove(...args)),
    withLocalFile: (key, use) => lend(storage, { provider, key, use }),
    list: (...args) => storage.list(...args),
    removeIncomplete: (...args) => timed('remove-incomplete', () => storage.removeIncomplete(...args)),
    check: () => timed('check', () => storage.check()),
    ...(signedUrl && { signedUrl }),
  };
}

type Lending<T> = { provider: string; key: string; use: (file: string) => Promise<T> };

/** Measured until the file is available; what is done with it is not up to the storage. */
async function lend<T>(storage: ObjectStorage, { provider, key, use }: Lending<T>): Promise<T> {
  const lent = Promise.withResolvers<void>();
  observed({ provider, operation: 'lend' }, () => lent.promise).catch(() => {});
  try {
    return await storage.withLocalFile(key, (file) => {
      lent.resolve();
      return use(file);
    });
  } catch (error) {
    lent.reject(error);
    throw error;
  }
}
