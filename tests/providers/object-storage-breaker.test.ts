import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withBreaker } from '../../src/providers/object-storage/breaker.ts';
import { StorageError, type ObjectStorage } from '../../src/providers/object-storage/interface.ts';

const timing = { patienceMs: 50, checkTimeoutMs: 50, recheckMs: 50 };
const never = new Promise<never>(() => {});
const patienceMs = 60_000;

type Fake = { storage: ObjectStorage; state: { check: () => Promise<void>; isHanging: boolean; asked: number } };

/** Answers at once, or never. */
function fake(): Fake {
  const state = { check: async () => {}, isHanging: false, asked: 0 };
  const answer = async <T>(value: T): Promise<T> => {
    state.asked += 1;
    return state.isHanging ? never : value;
  };
  const storage: ObjectStorage = {
    put: () => answer({ sizeBytes: 1, sha256: 'x' }),
    open: () => answer(Readable.from(['x'])),
    read: () => answer(Buffer.from('x')),
    stat: () => answer(null),
    remove: () => answer(undefined),
    withLocalFile: async (_key, use) => use(await answer('/tmp/x')),
    async *list() {},
    removeIncomplete: () => answer(0),
    check: () => state.check(),
  };
  return { storage, state };
}

const body = Readable.from(['x']);
const readings = (storage: ObjectStorage): Promise<unknown>[] => [
  storage.open('org/rec'),
  storage.read('org/rec', { start: 0, end: 0 }),
  storage.stat('org/rec'),
  storage.remove('org/rec'),
  storage.withLocalFile('org/rec', async () => 'used'),
];
const everything = (storage: ObjectStorage): Promise<unknown>[] => [storage.put('org/rec', body), ...readings(storage)];
const silence = { name: 'StorageError', reason: 'unavailable', isSilent: true };

describe('a storage that hangs', () => {
  it(
    'lets everybody go who waits for it, and is not asked again until it answers',
    { timeout: patienceMs },
    async () => {
      const { storage, state } = fake();
      const guarded = withBreaker(storage, timing);
      state.isHanging = true;
      state.check = () => never;
      await Promise.all(everything(guarded).map((work) => expect(work).rejects.toMatchObject(silence)));
      const { asked } = state;
      await Promise.all(everything(guarded).map((work) => expect(work).rejects.toMatchObject(silence)));
      expect(() => guarded.assertUsable?.()).toThrow('does not answer');
      expect(state.asked).toBe(asked);

      state.isHanging = false;
      state.check = async () => {};
      await expect
        .poll(async () =>
          guarded.check().then(
            () => 'ok',
            () => 'down',
          ),
        )
        .toBe('ok');
      await Promise.all(everything(guarded));
      guarded.assertUsable?.();
    },
  );

  it('only at one moment keeps nobody waiting for more than that', { timeout: patienceMs }, async () => {
    const { storage, state } = fake();
    const late = Promise.withResolvers<void>();
    storage.read = async () => {
      await late.promise;
      return Buffer.from('late');
    };
    let checks = 0;
    // The first check fails, and from then on all is well.
    state.check = async () => {
      if ((checks += 1) === 1) await never;
    };
    const guarded = withBreaker(storage, timing);
    const reading = guarded.read('org/rec', { start: 0, end: 3 });
    await expect.poll(() => checks).toBeGreaterThan(2);
    late.resolve();
    expect(String(await reading)).toBe('late');
    await guarded.check();
  });

  it('has what it opens too late closed, and no file lent to who has gone', { timeout: patienceMs }, async () => {
    const { storage, state } = fake();
    const back = Promise.withResolvers<void>();
    const stream = Readable.from(['x']);
    let isUsed = false;
    storage.open = () => back.promise.then(() => stream);
    storage.withLocalFile = (_key, use) => back.promise.then(() => use('/tmp/x'));
    state.check = () => never;
    const guarded = withBreaker(storage, timing);
    const use = async () => void (isUsed = true);
    await Promise.all(
      [guarded.open('org/rec'), guarded.withLocalFile('org/rec', use)].map((work) =>
        expect(work).rejects.toMatchObject(silence),
      ),
    );
    back.resolve();
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(isUsed).toBe(false);
    state.check = async () => {};
  });
});

describe('a storage that answers', () => {
  it('but takes nothing is read from, and nothing is sent to it', async () => {
    const { storage, state } = fake();
    const guarded = withBreaker(storage, timing);
    const full = new StorageError('unavailable', 'The disk is full.');
    state.check = () => Promise.reject(full);
    await expect(guarded.check()).rejects.toBe(full);
    const { asked } = state;
    await expect(guarded.put('org/rec', body)).rejects.toBe(full);
    expect(state.asked).toBe(asked);
    await Promise.all(readings(guarded));
    state.check = async () => {};
    await expect
      .poll(async () =>
        guarded.put('org/rec', body).then(
          () => 'ok',
          () => 'down',
        ),
      )
      .toBe('ok');
  });

  it('is given the time that an operation takes', { timeout: patienceMs }, async () => {
    const { storage } = fake();
    storage.read = async () => {
      await sleep(500);
      return Buffer.from('slow');
    };
    storage.withLocalFile = async (_key, use) => use('/tmp/x');
    const slow = withBreaker(storage, timing);
    expect(String(await slow.read('org/rec', { start: 0, end: 3 }))).toBe('slow');
    await expect(slow.withLocalFile('org/rec', () => sleep(500, 'used'))).resolves.toBe('used');
  });
});
