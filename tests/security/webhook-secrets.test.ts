import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDeps } from '../../src/deps.ts';
import { resealSecrets } from '../../src/setup/secrets.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createSecretBox, type SecretBox } from '../../src/lib/secret-box.ts';
import type { Pipeline } from '../../src/pipeline/assembly/pipeline.ts';
import { asAdmin, eventually } from '../pipeline/support/hosts.ts';
import { startReceiver, type Receiver } from '../pipeline/support/webhook-receiver.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook, deliveriesOf, deliveryThat, startPipeline } from '../support/webhooks.ts';

const key = newKey();
const delaysMs = [100, 100, 100];

let t: TestApp;
let org: TestMember;
let receiver: Receiver;
let logged = '';
let paths = 0;

const log = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  receiver = await startReceiver();
  const env = { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1', SECRETS_KEY: key };
  t = await createTestApp({ runPipeline: false, env, log });
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

async function endpoint() {
  org = await t.createOrg();
  const path = `/${(paths += 1)}`;
  const webhook = await createWebhook(t, org, { url: receiver.url(path), events: ['record.deleted'] });
  return { ...webhook, path, at: { member: org, webhookId: webhook.id } };
}

const post = (url: string) => t.as(org, { method: 'POST', url: `/api/v1/webhooks/${url}` });
const admin: <T>(work: Parameters<typeof asAdmin<T>>[1]) => Promise<T> = (work) =>
  asAdmin(t.deps.config.DATABASE_URL ?? '', work);

/** The pipeline while `work` goes on, with a key of its own where one is given. */
async function withPipeline<T>(work: () => Promise<T>, secrets: SecretBox = t.deps.services.secrets): Promise<T> {
  const services = { ...t.deps.services, secrets };
  const pipeline: Pipeline = await startPipeline({ ...t, deps: { ...t.deps, services } }, { delaysMs });
  try {
    return await work();
  } finally {
    await pipeline.stop();
  }
}

/** What the log says of a webhook whose secret no key opens. Deliveries of other tests may still be waiting. */
function complaintsOf(webhookId: string): Record<string, unknown>[] {
  const lines = logged.split('\n').filter((line) => line.includes('cannot be opened'));
  return lines.map((line) => JSON.parse(line)).filter((line) => line.webhookId === webhookId);
}

async function everyTable(): Promise<string> {
  return admin(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'p') and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;
    let text = '';
    for (const { name } of tables) {
      for (const { row } of await sql.unsafe(`select to_jsonb(r)::text as row from ${name} r`)) text += `${row}\n`;
    }
    return text;
  });
}

/** The bytes that sign, however they are written. */
function isIn(text: string, secret: string): boolean {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const forms = [
    bytes.toString('base64').slice(0, 40),
    bytes.toString('base64url').slice(0, 40),
    bytes.toString('hex'),
  ];
  return forms.some((form) => text.includes(form) || text.includes(form.replaceAll('/', String.raw`\/`)));
}

async function storedSecrets(id: string) {
  const [row] = await admin(
    (sql) => sql<{ sealedBy: string | null; secrets: { secret: string; expiresAt: string | null }[] }[]>`
      select sealed_by as "sealedBy", secrets from webhooks where id = ${id}`,
  );
  if (!row) throw new Error('There is no such webhook.');
  return row;
}

/** As a release stored it that did not seal. */
async function layOpen(id: string, secret: string): Promise<void> {
  const secrets = [{ secret, expiresAt: null }];
  await admin((sql) => sql`update webhooks set secrets = ${sql.json(secrets)}, sealed_by = null where id = ${id}`);
}

describe('the secret of a webhook', () => {
  it('is in no table and in no line of the log, new or replaced, and signs', async () => {
    const { id, secret, path, at } = await endpoint();
    const { body } = await post(`${id}/rotate-secret`);
    const both = [secret, body.data.secret];
    const [request] = await withPipeline(async () => {
      await post(`${id}/test`);
      await deliveryThat(t, at, ({ status }) => status === 'succeeded');
      return receiver.at(path);
    });
    for (const each of both) {
      expect(new Webhook(each).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
        type: 'webhook.test',
      });
    }
    expect(request?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const tables = await everyTable();
    expect(tables).toContain(id);
    expect(logged).toContain('/api/v1/webhooks/:id/rotate-secret');
    expect(both.map((each) => isIn(tables, each) || isIn(logged, each))).toEqual([false, false]);
    expect(isIn(JSON.stringify({ secret }), secret)).toBe(true);
  });

  it('of a release that did not seal is sealed at the next start, and signs as before', async () => {
    const { id, secret, path, at } = await endpoint();
    await layOpen(id, secret);
    expect(isIn(await everyTable(), secret)).toBe(true);
    const deps = await buildDeps(t.deps.config, t.deps.log);
    try {
      await deps.start();
      expect(isIn(await everyTable(), secret)).toBe(false);
      await post(`${id}/test`);
      await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    } finally {
      await deps.close();
    }
    const [request] = receiver.at(path);
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toBeTruthy();
  });

  it('cannot be moved to another webhook: nothing is sent then, and the log says why', async () => {
    const victim = await endpoint();
    const stranger = await endpoint();
    const { secrets, sealedBy } = await storedSecrets(stranger.id);
    await admin(
      (sql) => sql`update webhooks set secrets = ${sql.json(secrets)}, sealed_by = ${sealedBy} where id = ${victim.id}`,
    );
    org = victim.at.member;
    await withPipeline(async () => {
      await post(`${victim.id}/test`);
      await eventually(() => complaintsOf(victim.id)[0]);
    });
    expect(receiver.at(victim.path)).toEqual([]);
  });
});

describe('the key', () => {
  it('that is wrong signs nothing: the delivery waits without losing an attempt, and goes out once it is right', async () => {
    const { id, secret, path, at } = await endpoint();
    await post(`${id}/test`);
    await withPipeline(
      async () => {
        await eventually(() => complaintsOf(id)[2]);
      },
      createSecretBox([newKey()]),
    );
    expect(complaintsOf(id)[0]).toMatchObject({ level: 50, msg: expect.stringContaining('SECRETS_KEY') });
    expect(receiver.at(path)).toEqual([]);
    expect(await deliveriesOf(t, at.member, id)).toMatchObject([{ status: 'pending', attempts: [] }]);
    await withPipeline(() => deliveryThat(t, at, ({ status }) => status === 'succeeded'));
    const requests = receiver.at(path);
    expect(requests).toHaveLength(1);
    expect(new Webhook(secret).verify(requests[0]?.body ?? '', requests[0]?.headers ?? {})).toBeTruthy();
  });

  it('is replaced by putting the new one in front: after a start the old one is not needed', async () => {
    const { id, secret, path, at } = await endpoint();
    const fresh = newKey();
    const { db } = t.deps.services;
    const { system } = t.deps.connections;
    const reseal = (keys: string[]) =>
      resealSecrets({ db, system, secrets: createSecretBox(keys), log: createLogger('silent') });
    const sealed = createSecretBox([key]).seal('token', 'portal-1');
    await system`insert into portal_installations
      (member_id, domain, client_endpoint, application_token_hash, access_token, refresh_token)
      values ('portal-1', 'acme.bitrix24.com', 'https://acme.bitrix24.com/rest/', '', ${sealed}, ${sealed})`;
    const tokens = async () => {
      const [row] = await system<{ a: string; r: string }[]>`
        select access_token as a, refresh_token as r from portal_installations where member_id = 'portal-1'`;
      return row;
    };
    const old = await storedSecrets(id);
    await reseal([newKey()]);
    expect(await storedSecrets(id)).toEqual(old);
    expect(await tokens()).toEqual({ a: sealed, r: sealed });
    await reseal([fresh, key]);
    expect(await storedSecrets(id)).not.toEqual(old);
    const { a = '', r = '' } = (await tokens()) ?? {};
    expect([a, r].map((each) => createSecretBox([fresh]).open(each, 'portal-1'))).toEqual(['token', 'token']);
    await withPipeline(
      async () => {
        await post(`${id}/test`);
        await deliveryThat(t, at, ({ status }) => status === 'succeeded');
      },
      createSecretBox([fresh]),
    );
    const [request] = receiver.at(path);
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toBeTruthy();
    await reseal([key, fresh]);
  });

  it('that was lost is got over by a new secret', async () => {
    const { id, path, at } = await endpoint();
    await admin(
      (sql) =>
        sql`update webhooks set sealed_by = 'lost', secrets = ${sql.json([{ secret: 'v1.lost.AAAA', expiresAt: null }])} where id = ${id}`,
    );
    const { status, body } = await post(`${id}/rotate-secret`);
    expect({ status, old: body.data.oldSecretsExpireAt }).toEqual({ status: 200, old: null });
    await withPipeline(async () => {
      await post(`${id}/test`);
      await deliveryThat(t, at, (delivery) => delivery.status === 'succeeded');
    });
    const [request] = receiver.at(path);
    expect(new Webhook(body.data.secret).verify(request?.body ?? '', request?.headers ?? {})).toBeTruthy();
  });
});
