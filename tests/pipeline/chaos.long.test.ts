import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { instanceLockSpace } from '../../src/pipeline/engine/store-claims.ts';
import { seededRandom } from '../support/random.ts';
import { mountSmallDisk } from './support/chaos.ts';
import { createChaos } from './support/chaos-faults.ts';
import { callVtt } from './support/calls.ts';
import { createFaultScene, type FaultScene } from './support/fault-scene.ts';
import { asAdmin, sleep } from './support/hosts.ts';
import { startOutside, ticket } from './support/outside.ts';
import { silentWav } from './support/recording-server.ts';
import type { ServiceProcess } from './support/service-process.ts';
import { findRepeats } from './support/doubles.ts';
import { subscribe } from './support/subscribe.ts';

const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_122);
/** Longer before a release: `CHAOS_SECONDS=600 npm run test:long -- chaos`. Its figures are printed. */
const durationMs = Number(process.env['CHAOS_SECONDS'] ?? 35) * 1000;
/** A few: hearing one takes a slow machine half a minute. */
const isSpoken = (n: number): boolean => n % 20 === 1;
/** A client that has not got its answer by then never will: half a minute more than a claim may outlive its process. */
const answerMsMax = 150_000;
/** What is left over when the faults end is worked off: up to three minutes go by before the next of seven attempts to hear a call. */
const restMs = 260_000;

const log = createLogger('silent');
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Answer = { id: string; waitedMs: number; attempts: number };

it(
  'loses nothing, doubles nothing and leaves no client without its answer, whatever is killed, full or away',
  { timeout: durationMs + answerMsMax + 3 * restMs },
  async () => {
    const postgresDir = await folder('earshot-chaos-postgres-');
    const postgres = await startEmbeddedPostgres({ dataDir: postgresDir, log });
    cleanups.push(() => postgres.stop());
    await migrate({ url: postgres.url, log });
    const scene = await createFaultScene(postgres.url);
    cleanups.push(scene.close);
    const random = seededRandom(seed);
    const outside = await startOutside({ thinkMs: () => 300 + random() * 2_000 });
    cleanups.push(outside.close);
    let started = 0;
    const start = (): { who: string; service: ServiceProcess } => {
      const who = `instance-${(started += 1)}`;
      return { who, service: scene.start(outside.envOf(who)) };
    };
    const { service: first } = start();
    await subscribe(scene, { baseUrl: await first.ready, url: outside.receiver.url('/events') });
    await first.kill('SIGTERM');
    const objects = path.join(scene.dataDir, 'objects');
    await mkdir(objects, { recursive: true });
    const disk = await mountSmallDisk(objects, 48);
    if (disk) cleanups.push(disk.unmount);
    else process.stdout.write('The disk is not filled: this user may not mount one.\n');

    const spoken = await speak();
    const chaos = createChaos({
      random: seededRandom(seed + 1),
      durationMs,
      start,
      postgresDir,
      disk,
      cutSessions: () => cutSessions(postgres.url),
    });
    const sent: Promise<Answer>[] = [];
    async function send(): Promise<void> {
      while (chaos.isOn()) {
        sent.push(sendUntilAnswered(scene, { n: sent.length, addresses: chaos.addresses, spoken }));
        await sleep(400 + random() * 600);
      }
    }

    const [last] = await Promise.all([chaos.run(), send()]);
    const answers = await Promise.all(sent);
    const restFrom = performance.now();

    // Each answer is kept: the same key gives the same record again, and makes no other.
    for (const [n, { id }] of answers.entries()) {
      const again = await request(scene, { baseUrl: last.baseUrl, n, spoken });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(((await again.json()) as { data: { id: string } }).data.id).toBe(id);
    }
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    expect(
      await scene.expectNothingLost({
        callCount: answers.length,
        completedMin: answers.length,
        restMs,
      }),
    ).toBe(answers.length);

    const heard = await readHeard(postgres.url);
    expect(
      heard.filter(({ duration, minutes }) => duration !== spoken.seconds || minutes !== heard[0]?.minutes),
    ).toEqual([]);
    const uses = outside.uses();
    const deliveries = await countDeliveries(postgres.url);
    expect(new Set(uses.webhooks.map(({ what }) => what)).size).toBe(deliveries);
    expect(new Set(uses.mails.map(({ what }) => what)).size).toBe(answers.length);
    const typed = answers.filter((_, n) => !isSpoken(n)).length;
    expect(new Set(uses.provider.map(({ what }) => what)).size).toBe(typed);
    expect(chaos.crashes).toEqual([]);
    const repeats = Object.entries(uses).flatMap(([kind, of]) =>
      findRepeats(of, chaos.faults).map((repeat) => ({ kind, ...repeat })),
    );
    const waits = answers.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b);
    const figures = {
      seed,
      ...chaos.counts,
      calls: answers.length,
      answered: new Set(answers.map(({ id }) => id)).size,
      attempts: answers.reduce((sum, { attempts }) => sum + attempts, 0),
      heard: heard.length,
      asked: uses.provider.length,
      mails: uses.mails.length,
      deliveries: uses.webhooks.length,
      again: countBy(repeats.map(({ kind, reason }) => `${kind}: ${reason ?? 'FOR NO REASON'}`)),
      answerMsMedian: Math.round(waits[waits.length >> 1] ?? 0),
      answerMsMax: Math.round(waits.at(-1) ?? 0),
      restMs: Math.round(performance.now() - restFrom),
    };
    process.stdout.write(`chaos: ${JSON.stringify(figures)}\n`);
    // Each with what led to it.
    const avoidable = repeats.flatMap(({ reason, ...repeat }) =>
      reason === null ? { ...repeat, said: chaos.warningsOf(repeat.first.by), ...chaos.faults } : [],
    );
    expect(avoidable).toEqual([]);
    await last.service.kill('SIGTERM');
  },
);

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));
}

async function folder(prefix: string): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), prefix));
  cleanups.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Those that show that an instance lives. */
function cutSessions(url: string): Promise<number> {
  return asAdmin(url, async (sql) => {
    const cut = await sql`
      select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and classid = ${instanceLockSpace} and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())`;
    return cut.length;
  });
}

type Spoken = { file: Buffer; seconds: number };

/** Long enough to be killed while it is decoded and heard. */
async function speak(): Promise<Spoken> {
  const file = path.join(await folder('earshot-chaos-spoken-'), 'call.mp3');
  const text = 'Thank you for calling Northwind Energy. How can I help you today? '.repeat(8);
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `flite=text='${text}'`, '-t', '24', file]);
  return { file: await readFile(file), seconds: 24 };
}

type Sending = { n: number; addresses: () => string[]; spoken: Spoken };

/** As a client of a telephony system: with one key, until it is told that the call was taken. */
async function sendUntilAnswered(scene: FaultScene, { n, addresses, spoken }: Sending): Promise<Answer> {
  const from = performance.now();
  let last = 'It was never sent.';
  for (let attempts = 0; ;) {
    for (const baseUrl of addresses()) {
      attempts += 1;
      const response = await request(scene, { baseUrl, n, spoken }).catch(
        (error: unknown) => void (last = String(error)),
      );
      if (response?.status === 201) {
        const body = (await response.json().catch(() => undefined)) as { data: { id: string } } | undefined;
        if (body) return { id: body.data.id, waitedMs: performance.now() - from, attempts };
      } else if (response) {
        last = `${response.status}: ${await response.text().catch(String)}`;
        if (response.status !== 503 && response.status !== 409) throw new Error(last);
      }
    }
    if (performance.now() - from > durationMs + answerMsMax) throw new Error(`Call ${n} never got its answer. ${last}`);
    await sleep(200);
  }
}

type ToSend = { baseUrl: string; n: number; spoken: Spoken };

function request(scene: FaultScene, { baseUrl, n, spoken }: ToSend): Promise<Response> {
  const form = new FormData();
  form.set('projectId', scene.projectId);
  form.set('metadata', JSON.stringify({ externalId: `x-${n}` }));
  if (!isSpoken(n)) form.set('transcript', `${callVtt}\n00:59.000 --> 00:59.900\n<v Agent>${ticket} ${n}.\n`);
  const file = isSpoken(n) ? spoken.file : silentWav(800);
  form.set('file', new Blob([Uint8Array.from(file)]), isSpoken(n) ? `${n}.mp3` : `${n}.wav`);
  return fetch(`${baseUrl}/api/v1/records/upload`, {
    method: 'POST',
    headers: { ...scene.headers, 'idempotency-key': `call-${n}` },
    body: form,
    signal: AbortSignal.timeout(20_000),
  });
}

/** What a recogniser heard: whole, and billed as whole. */
function readHeard(url: string): Promise<{ duration: number; minutes: number }[]> {
  return asAdmin(
    url,
    (sql) => sql<{ duration: number; minutes: number }[]>`
      select r.duration_seconds as duration, u.minutes::float8 as minutes from records r
        join usage_entries u on u.org_id = r.org_id and u.record_id = r.id
       where r.file_name like '%.mp3'`,
  );
}

async function countDeliveries(url: string): Promise<number> {
  const [row] = await asAdmin(
    url,
    (sql) => sql<{ n: number }[]>`select count(*)::int as n from webhook_deliveries where status = 'succeeded'`,
  );
  return row?.n ?? 0;
}
