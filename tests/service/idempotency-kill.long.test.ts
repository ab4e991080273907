import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { formBytes, formType, wavHeader } from '../api/upload-support.ts';
import { createTestDatabase } from '../support/database.ts';
import { seededRandom } from '../support/random.ts';
import { newDataDir, startService, type RunningProcess } from './support.ts';

const killCount = Number(process.env['KILL_COUNT'] ?? 20);
const random = seededRandom(Number(process.env['KILL_SEED'] ?? 20_261_122));
const requestsEach = 24;
const spreadMs = 100;
/** Less than the minute that a lease of the key would take to run out. */
const patienceMs = 40_000;

type Sent = { name: string; table: string; column: string; request: (key: string) => [url: string, init: RequestInit] };
type Answered = { status: number; body: string; isReplayed: boolean };

/** The next requests, each of which makes one row that is known by the name. */
function requestsOf(projectId: string): Sent[] {
  const json =
    (path: string, body: object) =>
    (key: string): [string, RequestInit] => [
      path,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      },
    ];
  return Array.from({ length: requestsEach }, (_, index): Sent => {
    const name = randomUUID();
    switch (index % 4) {
      case 0:
        return { name, table: 'projects', column: 'name', request: json('/projects', { name }) };
      case 1: {
        const call = { externalId: name, projectId, recordingUrl: 'https://calls.example/1.wav' };
        return { name, table: 'records', column: 'external_id', request: json('/records/ingest', call) };
      }
      case 2: {
        const invite = { email: `${name}@example.com`, role: 'reviewer' };
        return { name: invite.email, table: 'invites', column: 'email', request: json('/users/invite', invite) };
      }
      default: {
        const body = formBytes([
          { name: 'projectId', content: projectId },
          { name: 'metadata', content: JSON.stringify({ externalId: name }) },
          { name: 'file', fileName: 'a.wav', content: Buffer.concat([wavHeader(8_044), Buffer.alloc(8_000)]) },
        ]);
        const request = (key: string): [string, RequestInit] => [
          '/records/upload',
          { method: 'POST', body, headers: { 'content-type': formType, 'idempotency-key': key } },
        ];
        return { name, table: 'records', column: 'external_id', request };
      }
    }
  });
}

type Commits = { next(count: number): Promise<void> };

/** Told by Postgres itself, at the moment of the commit. */
async function listenForCommits(superuser: postgres.Sql): Promise<Commits> {
  await superuser.unsafe(`
    create function tell() returns trigger language plpgsql as $$
    begin perform pg_notify('kept', new.key); return null; end $$;
    create trigger tell after insert or update on idempotency_keys for each row execute function tell();`);
  let left = 0;
  let reached = () => {};
  await superuser.listen('kept', () => {
    left -= 1;
    if (left === 0) reached();
  });
  return {
    async next(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      reached = resolve;
      left = count;
      await promise;
    },
  };
}

it(`gives every request the one answer of its key, through ${killCount} kills`, { timeout: 900_000 }, async () => {
  await using database = await createTestDatabase();
  const dataDir = await newDataDir();
  const superuser = postgres(database.url, { max: 2, onnotice: () => {} });
  const commits = await listenForCommits(superuser);
  const connections = connect({ url: database.url, poolSizeMax: 2 });
  const db = createDatabase(connections);
  const org = { name: 'Killed', owner: 'owner@example.com' };
  const { orgId, projectId, userId } = await createOrg({ db, system: connections.system }, org);
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'test', expiresAt: null }));
  await connections.close();
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  const seen = { lost: 0, waits: 0, replays: 0, slowestMs: 0 };

  async function ask({ request }: Sent, key: string): Promise<Answered | null> {
    const [path, init] = request(key);
    const address = `${await present.baseUrl}/api/v1${path}`;
    try {
      const answer = await fetch(address, { ...init, headers: { ...init.headers, ...headers } });
      const isReplayed = answer.headers.get('idempotent-replayed') === 'true';
      const body = await answer.text();
      if (answer.ok) return { status: answer.status, body, isReplayed };
      const isPassing = answer.status === 503 || (answer.status === 409 && answer.headers.has('retry-after'));
      if (!isPassing) throw new Error(`${address}: ${answer.status} ${body}`);
      seen.waits += 1;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      seen.lost += 1;
    }
    return null;
  }

  /** As a careful client does: the same request under the same key until it is answered. */
  async function answerOf(sent: Sent, key: string): Promise<Answered> {
    const startedAt = performance.now();
    for (;;) {
      const answer = await ask(sent, key);
      const tookMs = performance.now() - startedAt;
      seen.slowestMs = Math.max(seen.slowestMs, tookMs);
      if (answer) return answer;
      if (tookMs > patienceMs) throw new Error(`No answer to ${sent.name} in ${Math.round(tookMs)} ms.`);
      await sleep(50);
    }
  }

  function start(): { service: RunningProcess; baseUrl: Promise<string> } {
    const service = startService({ DATABASE_URL: database.url, DATA_DIR: dataDir, ROLE: 'web', LOG_LEVEL: 'info' });
    const baseUrl = service.logged('ready').then((line) => line.baseUrl ?? '');
    baseUrl.catch(() => {});
    return { service, baseUrl };
  }
  let present = start();
  const requests: Sent[] = [];
  try {
    for (let kill = 0; kill < killCount; kill += 1) {
      // What is loaded with the first request of a kind would otherwise take longer than all of the others.
      for (const each of requestsOf(projectId).slice(0, 4)) await answerOf(each, randomUUID());
      const sent = requestsOf(projectId);
      requests.push(...sent);
      const firsts = sent.map(async (each) => {
        const key = `key of ${each.name}`;
        await sleep(random() * spreadMs);
        const first = await answerOf(each, key);
        const again = await answerOf(each, key);
        expect(again).toEqual({ ...first, isReplayed: true });
        if (first.isReplayed) seen.replays += 1;
      });
      const all = Promise.all(firsts);
      all.catch(() => {});
      // As soon as so many have committed: their answers are on their way, and the others in the midst of their work.
      await commits.next(1 + Math.floor(random() * requestsEach * 0.8));
      await present.service.stop('SIGKILL');
      present = start();
      await all;
    }
    for (const { table, column, name } of requests) {
      const rows = await superuser`select from ${superuser(table)} where ${superuser(column)} = ${name}`;
      expect([name, rows.length]).toEqual([name, 1]);
    }
    process.stdout.write(`${requests.length} requests, ${JSON.stringify(seen)}\n`);
  } finally {
    await present.service.stop('SIGKILL');
    await superuser.end();
    await rm(dataDir, { recursive: true, force: true });
  }
});
