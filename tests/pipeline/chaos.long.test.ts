import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { readyServer } from '../support/postmaster.ts';
import { seededRandom } from '../support/random.ts';
import { findDescendants, mountSmallDisk, type SmallDisk } from './support/chaos.ts';
import { callVtt } from './support/calls.ts';
import { createFaultScene, type FaultScene } from './support/fault-scene.ts';
import { asAdmin, sleep } from './support/hosts.ts';
import { startOutside, ticket, type Uses } from './support/outside.ts';
import { silentWav } from './support/recording-server.ts';
import type { ServiceProcess } from './support/service-process.ts';
import { findDoubles, type Ending } from './support/doubles.ts';

const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_122);
/** Started by hand: `CHAOS_SECONDS=90 npm run test:long -- chaos`, longer before a release. Its figures are printed. */
const durationMs = Number(process.env['CHAOS_SECONDS'] ?? 0) * 1000;
const media = ['ffmpeg', 'ffprobe', 'pocketsphinx_batch'];
/** A few: hearing one takes a slow machine half a minute. */
const isSpoken = (n: number): boolean => n % 20 === 1;
/** A client that has not got its answer by then never will: half a minute more than a claim may outlive its process. */
const answerMsMax = Number(process.env['CHAOS_PATIENCE_SECONDS'] ?? 150) * 1000;

const log = createLogger('silent');
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Answer = { id: string; waitedMs: number; attempts: number };

// What is left over when the faults end is worked off, by a machine that may do other things as well.
const timeout = durationMs + 1_500_000;

it.runIf(durationMs > 0)(
  'loses nothing, doubles nothing and leaves no client without its answer, whatever is killed, full or away',
  { timeout },
  async () => {
    const random = seededRandom(seed);
    const postgresDir = await folder('earshot-chaos-postgres-');
    const postgres = await startEmbeddedPostgres({ dataDir: postgresDir, log });
    cleanups.push(() => postgres.stop());
    await migrate({ url: postgres.url, log });
    const scene = await createFaultScene(postgres.url);
    cleanups.push(scene.close);
    const outside = await startOutside();
    cleanups.push(outside.close);
    const { receiver } = outside;
    const endings: Ending[] = [];
    let started = 0;
    const start = (): { who: string; service: ServiceProcess } => {
      const who = `instance-${(started += 1)}`;
      return { who, service: scene.start(outside.envOf(who)) };
    };
    const { service: first } = start();
    await subscribe(scene, { baseUrl: await first.ready, url: receiver.url('/events') });
    await first.kill('SIGTERM');
    const objects = path.join(scene.dataDir, 'objects');
    await mkdir(objects, { recursive: true });
    const disk = await mountSmallDisk(objects, 48);
    if (disk) cleanups.push(disk.unmount);
    else process.stdout.write('The disk is not filled: this user may not mount one.\n');

    const addresses = new Map<number, string>();
    const alive = new Map<number, ServiceProcess>();
    const counts = { kills: 0, stops: 0, outages: 0, children: 0, fillings: 0 };
    const until = Date.now() + durationMs;
    const isOn = (): boolean => Date.now() < until;

    /** One of two instances: started, killed or stopped in good order, and started again. */
    async function restart(slot: number): Promise<void> {
      while (isOn()) {
        const { who, service } = start();
        alive.set(slot, service);
        const baseUrl = await service.ready.catch(() => undefined);
        if (baseUrl !== undefined) {
          addresses.set(slot, baseUrl);
          await sleep(2_000 + random() * 6_000);
        }
        addresses.delete(slot);
        const isStop = random() < 0.4;
        counts[isStop ? 'stops' : 'kills'] += 1;
        endings.push({ who, at: Date.now() });
        await service.kill(isStop ? 'SIGTERM' : 'SIGKILL');
        alive.delete(slot);
      }
    }

    async function killPostgres(): Promise<void> {
      for (let server = await readyServer(postgresDir); isOn(); counts.outages += 1) {
        await sleep(9_000 + random() * 6_000);
        process.kill(server, random() < 0.5 ? 'SIGKILL' : 'SIGINT');
        server = await readyServer(postgresDir, { killed: server });
      }
    }

    async function killChildren(): Promise<void> {
      while (isOn()) {
        await sleep(150 + random() * 300);
        const pids = await findDescendants(
          [...alive.values()].flatMap(({ pid }) => pid ?? []),
          media,
        );
        const pid = pids[Math.floor(random() * pids.length)];
        if (pid === undefined || random() < 0.5) continue;
        counts.children += 1;
        kill(pid);
      }
    }

    async function fill(disk: SmallDisk): Promise<void> {
      while (isOn()) {
        await sleep(8_000 + random() * 4_000);
        await disk.fill();
        counts.fillings += 1;
        await sleep(1_500);
        await disk.empty();
      }
    }

    const spoken = await speak();
    const sent: Promise<Answer>[] = [];
    async function send(): Promise<void> {
      while (isOn()) {
        sent.push(sendUntilAnswered(scene, { n: sent.length, addresses, spoken }));
        await sleep(400 + random() * 600);
      }
    }

    await Promise.all([restart(0), restart(1), killPostgres(), killChildren(), disk && fill(disk), send()]);
    const { service: last } = start();
    addresses.set(0, await last.ready);
    const answers = await Promise.all(sent);

    // Each answer is kept: the same key gives the same record again, and makes no other.
    for (const [n, { id }] of answers.entries()) {
      const again = await request(scene, { baseUrl: addresses.get(0) ?? '', n, spoken });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(((await again.json()) as { data: { id: string } }).data.id).toBe(id);
    }
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    expect(
      await scene.expectNothingLost({
        callCount: answers.length,
        completedMin: answers.length,
        restMs: 400_000,
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
    const twice = mapDoubles(uses, endings);
    const waits = answers.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b);
    process.stdout.write(
      `chaos: ${JSON.stringify({
        ...counts,
        calls: answers.length,
        attempts: answers.reduce((sum, { attempts }) => sum + attempts, 0),
        heard: heard.length,
        provider: uses.provider.length,
        mails: uses.mails.length,
        webhooks: uses.webhooks.length,
        twice,
        answerMsMedian: Math.round(waits[waits.length >> 1] ?? 0),
        answerMsMax: Math.round(waits.at(-1) ?? 0),
      })}\n`,
    );
    await last.kill('SIGTERM');
  },
);

async function folder(prefix: string): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), prefix));
  cleanups.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Has every completed call told to an endpoint, and by mail. */
async function subscribe(scene: FaultScene, { baseUrl, url }: { baseUrl: string; url: string }): Promise<void> {
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { ...scene.headers, 'content-type': 'application/json' };
    return (await fetch(`${baseUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const condition = { field: 'duration', operator: 'gte', value: 0 };
  const alert = { name: 'Every call', condition, actions: ['email'], cooldownSeconds: 0 };
  expect([await post('/webhooks', { url, events: ['record.completed'] }), await post('/alerts', alert)]).toEqual([
    201, 201,
  ]);
}

type Spoken = { file: Buffer; seconds: number };

/** Long enough to be killed while it is decoded and heard. */
async function speak(): Promise<Spoken> {
  const file = path.join(await folder('earshot-chaos-spoken-'), 'call.mp3');
  const text = 'Thank you for calling Northwind Energy. How can I help you today? '.repeat(8);
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `flite=text='${text}'`, '-t', '24', file]);
  return { file: await readFile(file), seconds: 24 };
}

type Sending = { n: number; addresses: Map<number, string>; spoken: Spoken };

/** As a client of a telephony system: with one key, until it is told that the call was taken. */
async function sendUntilAnswered(scene: FaultScene, { n, addresses, spoken }: Sending): Promise<Answer> {
  const from = performance.now();
  let last = 'It was never sent.';
  for (let attempts = 0; ;) {
    for (const baseUrl of addresses.values()) {
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

/** How often something was done twice because whoever did it was killed; for no other reason. */
function mapDoubles({ provider, mails, webhooks }: Uses, endings: Ending[]) {
  const doubles = [provider, mails, webhooks].map((uses) => findDoubles(uses, endings));
  expect(doubles.flatMap(({ unexplained }) => unexplained)).toEqual([]);
  const [asked, mailed, told] = doubles.map(({ twice }) => twice);
  return { asked, mailed, told };
}

async function countDeliveries(url: string): Promise<number> {
  const [row] = await asAdmin(
    url,
    (sql) => sql<{ n: number }[]>`select count(*)::int as n from webhook_deliveries where status = 'succeeded'`,
  );
  return row?.n ?? 0;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
