import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { insertAlert } from '../../src/domain/alerts/queries.ts';
import { upsertBudget } from '../../src/domain/billing/metering-queries.ts';
import { emitEvents } from '../../src/domain/events/service.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { insertInvite } from '../../src/domain/users/queries.ts';
import { insertWebhook } from '../../src/domain/webhooks/queries.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { eventually } from './support/hosts.ts';
import { expectNothingLeft } from './support/invariants.ts';
import { startRecordingServer, toneWav, type RecordingServer } from './support/recording-server.ts';
import { startReceiver, type Receiver } from './support/webhook-receiver.ts';

const host = path.join(import.meta.dirname, 'support/step-host.ts');

let database: TestDatabase;
let connections: Connections;
let db: Database;
let dataDir: string;
let org: { orgId: string; projectId: string; userId: string };
let recordings: RecordingServer;
let deepgram: DeepgramServer;
let model: ModelServer;
let mails: MailServer;
let receiver: Receiver;
const children: ChildProcess[] = [];
let calls = 0;
let invites = 0;
let evaluations = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  db = createDatabase(connections);
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-steps-'));
  const wav = toneWav(1500);
  recordings = await startRecordingServer((_req, res) => void res.end(wav));
  deepgram = await startDeepgram([
    { speaker: 0, start: 0.1, end: 0.6, text: 'Thank you for calling Northwind' },
    { speaker: 1, start: 0.7, end: 1.3, text: 'I was charged twice' },
  ]);
  const answer = JSON.stringify({ answers: [], summary: [], improvements: [], topics: [], actionItems: [] });
  model = await startModelServer(() => ({ text: answer, input: 1000, output: 100 }));
  mails = await startMailServer();
  // Each event is refused once, so that every delivery waits and goes on.
  receiver = await startReceiver((res, { headers }) => {
    const id = headers['webhook-id'];
    const isFirst = receiver.received.filter((each) => each.headers['webhook-id'] === id).length === 1;
    res.writeHead(isFirst ? 500 : 204).end();
  });
  org = await createOrg({ db, system: connections.system }, { name: 'Killed', owner: 'owner@example.com' });
  await db.withOrg(org.orgId, async (tx) => {
    await upsertBudget(tx, '1000');
    const secrets = [{ secret: newSecret(), expiresAt: null }];
    const events = ['record.completed', 'record.deleted'];
    await insertWebhook(tx, { id: newId('webhook'), url: receiver.url('/'), events, enabled: true, secrets });
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([recordings.close(), deepgram.close(), model.close(), receiver.close(), mails.stop()]);
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Loaded and waiting for the word. */
async function load(): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '4',
    DATA_DIR: dataDir,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    SPEECH_ENGINE: 'deepgram',
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: deepgram.baseUrl,
    SMTP_URL: mails.url,
    MAIL_FROM: 'calls@example.com',
    ANALYSIS_ENGINE: 'model',
    ANALYSIS_MODEL: 'scripted',
    ANALYSIS_PRICE_INPUT_PER_MILLION: '1',
    OPENAI_BASE_URL: model.baseUrl,
  };
  const child = fork(host, {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--max-semi-space-size=32'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

/** Where to die, from now on. */
async function tell(child: ChildProcess, { killAt }: { killAt: string }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on('message', (message) => message === `told ${killAt}` && resolve());
  child.send({ killAt });
  await promise;
}

/** A call whose recording lies elsewhere and has to be heard. */
async function addCall(): Promise<void> {
  const id = newRecordId();
  const n = (calls += 1);
  const call = { source: 'api' as const, externalId: `x-${n}`, recordingUrl: recordings.url(`/${n}.wav`) };
  await db.withOrg(org.orgId, (tx) => createRecord(tx, { id, projectId: org.projectId, ...call }, null));
}

/** An event for the webhook. */
async function addEvent(): Promise<void> {
  const data = { recordId: newRecordId(), projectId: org.projectId, externalId: null };
  await db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'record.deleted', data }]));
}

/** An object that no record has. */
async function addObject(): Promise<void> {
  const storageKey = `${org.orgId}/${newRecordId()}/unneeded`;
  await createLocalStorage({ directory: path.join(dataDir, 'objects') }).put(
    storageKey,
    Readable.from([Buffer.from('audio')]),
  );
  await db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'object.delete.requested', data: { storageKey } }]));
}

/** Somebody who gets a mail. */
async function addInvite(): Promise<void> {
  const id = newId('invite');
  const invite = { email: `invited${(invites += 1)}@example.com`, role: 'agent' as const, projectIds: null };
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.withOrg(org.orgId, async (tx) => {
    await insertInvite(tx, { ...invite, id, invitedBy: org.userId, expiresAt });
    await emitEvents(tx, [{ type: 'invite.mail.requested', data: { inviteId: id } }]);
  });
}

/** A rule that the first call meets, and the order to find that out. */
async function addEvaluation(): Promise<void> {
  await db.withOrg(org.orgId, async (tx) => {
    const condition = { field: 'duration', operator: 'gte' as const, value: 0 };
    const looks = { name: 'Any call', actions: [], severity: 'info' as const, cooldownSeconds: 0, enabled: true };
    await insertAlert(tx, { ...condition, ...looks, id: newId('alert') });
  });
  const [first] = await connections.system<{ recordId: string; analysisId: string }[]>`
    select r.id as "recordId", r.analysis_id as "analysisId" from records r where r.status = 'completed' order by r.id limit 1`;
  if (!first) throw new Error('No call has been scored yet.');
  const data = { ...first, review: null };
  await db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'alerts.evaluate.requested', data }]));
  evaluations += 1;
}

async function atRest(): Promise<void> {
  await eventually(async () => {
    const [row] = await connections.system<{ busy: number }[]>`
      select (select count(*) from records where status in ('pending', 'processing'))::int
           + (select count(*) from outbox where dispatched_at is null or due_at is not null)::int
           + (select count(*) from engine_queue)::int + (select count(*) from engine_waits)::int as busy`;
    return row?.busy === 0 || undefined;
  }, 60_000);
}

/**
 * Everything that happens between an event and its end, in the order in which it does. `done` is the work of a step,
 * `stored` what the engine knows of it: results of short steps are stored together, when their run waits or ends.
 */
const processing = [
  'process-record: begin done',
  'process-record: fetch done',
  'begin and fetch stored',
  'process-record: call of transcribe-recording stored',
  'transcribe-recording: transcribe done',
  'transcribe-recording: complete stored',
  'process-record: call of ask-model stored',
  'ask-model: ask done',
  'ask-model: complete stored',
  'process-record: score done',
  'process-record: publish done',
  'process-record: complete stored',
];
const delivering = [
  'deliver-webhook: attempt-1 done',
  'attempt-1 stored',
  'deliver-webhook: sleep stored',
  'deliver-webhook: attempt-2 done',
  'deliver-webhook: complete stored',
];
const mailing = [
  'send-mail: recipients done',
  'mail accepted',
  'send-mail: send done',
  'send-mail: done done',
  'send-mail: complete stored',
];
type Course = {
  add: () => Promise<void>;
  points: string[];
  after?: string[];
  /** Killed while nothing else is under way: a mail that was accepted just then would be sent again as well. */
  isAlone?: boolean;
};
const courses: Course[] = [
  { add: addCall, points: processing, after: delivering },
  { add: addEvent, points: delivering },
  { add: addObject, points: ['delete-objects: remove done', 'delete-objects: complete stored'] },
  { add: addInvite, points: mailing, isAlone: true },
  { add: addEvaluation, points: ['evaluate-alerts: evaluate done', 'evaluate-alerts: complete stored'] },
];

it('ends everything once when the process is killed between any two steps', async () => {
  const first = await load();
  first.send({});
  for (const { add, points, after = [] } of courses) {
    const reached: string[] = [];
    // What the clock starts meanwhile belongs to no course.
    const listen = (point: string): void => {
      if (!/^(told |sweep: |retention: |reconcile-portals: )/.test(point)) reached.push(point);
    };
    first.on('message', listen);
    await add();
    await atRest();
    // What it tells may come later than what it stored.
    await eventually(() => reached.length >= points.length + after.length || undefined);
    first.off('message', listen);
    expect(reached).toEqual([...points, ...after]);
  }
  first.kill('SIGKILL');

  // The next two are loading while one is at work.
  const spares = [load(), load()];
  for (const { add, points, isAlone } of courses) {
    for (const killAt of points) {
      const child = await spares.shift();
      if (!child) throw new Error('No process is left.');
      spares.push(load());
      const died = once(child, 'exit');
      // Deaths that were meant for others: a step that it happens to three times goes to another process.
      await connections.system`update engine_queue set losses = 0`;
      if (isAlone) {
        child.send({});
        await atRest();
        await tell(child, { killAt });
        await add();
      } else {
        await add();
        child.send({ killAt });
      }
      const [, signal] = await died;
      expect({ killAt, signal }).toEqual({ killAt, signal: 'SIGKILL' });
    }
  }
  const last = await spares.shift();
  last?.send({});
  const { system } = connections;
  await expectNothingLeft({
    databaseUrl: database.url,
    dataDir,
    system,
    callCount: calls,
    completedMin: calls,
    isHurried: true,
  });

  const deliveries = await db.withOrg(org.orgId, (tx) =>
    tx.execute<{ eventId: string; status: string }>('select event_id as "eventId", status from webhook_deliveries'),
  );
  const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 'succeeded'));
  expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(arrived);
  expect(arrived.size).toBe(calls + 1 + delivering.length);

  // All rules have fired for the first call, each once, however often it was held against them.
  const rules = await db.withOrg(org.orgId, (tx) =>
    tx.execute<{ listed: number; counted: number; told: number }>(`
      select trigger_count as counted,
             (select count(*)::int from alert_events e where e.alert_id = a.id) as listed,
             (select count(*)::int from outbox o where o.type = 'alert.triggered' and o.data->>'alertId' = a.id) as told
        from alerts a`),
  );
  expect(rules).toHaveLength(evaluations);
  expect(rules.filter(({ listed, counted, told }) => listed === 0 || counted !== listed || told !== listed)).toEqual(
    [],
  );

  // Once each, but for the one whose sender died before it could note that the server had it: under the same id.
  const sent = mails.received.map(({ mail }) => mail.messageId);
  expect(new Set(sent).size).toBe(invites);
  expect(sent).toHaveLength(invites + 1);
}, 400_000);
