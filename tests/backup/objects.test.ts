import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { objectStream } from '../../src/backup/manifest.ts';
import { createObjectRestorer } from '../../src/backup/objects.ts';
import type { ObjectStorage } from '../../src/providers/object-storage/interface.ts';

it('waits for recordings that are still being written before a refused restore removes what it wrote', async () => {
  const written: string[] = [];
  const put = async (key: string, body: AsyncIterable<Uint8Array>) => {
    await sleep(50);
    let sizeBytes = 0;
    for await (const { length } of body) sizeBytes += length;
    written.push(key);
    return { sizeBytes };
  };
  const objects = createObjectRestorer({ put } as unknown as ObjectStorage);
  const keys = ['org_a/rec_1', 'org_a/rec_2', 'org_a/rec_3'];
  for (const key of keys) {
    const parts = (async function* () {
      yield Buffer.from(key);
    })();
    await objects.restore({ name: objectStream(key), parts });
  }
  expect(written).toEqual([]);
  await objects.settle();
  expect(written.toSorted()).toEqual(keys);
});
