import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seededRandom } from '../support/random.ts';
import { createFaultScene, type FaultScene } from './support/fault-scene.ts';
import { sleep } from './support/hosts.ts';

const seed = Number(process.env['KILL_SEED'] ?? 20_261_121);
const killCount = Number(process.env['KILL_COUNT'] ?? 50);
const callCount = killCount * 2;

let database: TestDatabase;
let scene: FaultScene;

beforeAll(async () => {
  database = await createTestDatabase();
  scene = await createFaultScene(database.url);
});

afterAll(async () => {
  await scene.close();
  await database.drop();
});

it(`ends every call once, whole and with nothing left behind, after ${killCount} kills at random moments`, async () => {
  const random = seededRandom(seed);
  const addresses = new Map<number, string>();
  const kills = { done: 0 };
  const sendNext = (): void => {
    if (scene.sent() < callCount) scene.sendNext(() => [...addresses.values()]);
  };

  // Two instances on one database, each killed and started again: now one is up, now the other, at times neither.
  const torment = async (slot: number): Promise<void> => {
    while (kills.done < killCount) {
      const service = scene.start();
      const isEarly = random() < 0.3;
      if (isEarly) {
        await sleep(random() * 700);
      } else {
        addresses.set(slot, await service.ready);
        sendNext();
        sendNext();
        await sleep(random() * 600);
      }
      addresses.delete(slot);
      await service.kill();
      kills.done += 1;
    }
  };
  await Promise.all([torment(0), torment(1)]);
  const last = scene.start();
  addresses.set(0, await last.ready);
  while (scene.sent() < callCount) sendNext();
  await scene.expectNothingLost();
  expect(kills.done).toBeGreaterThanOrEqual(killCount);
  await last.kill('SIGTERM');
}, 400_000);
