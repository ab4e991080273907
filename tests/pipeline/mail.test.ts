import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryFailedRun } from '../../src/pipeline/retry-run.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { listRuns } from '../../src/pipeline/engine/runs.ts';
import { newRunId } from '../../src/pipeline/engine/store-runs.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startMailServer, type MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { createWebhook } from '../support/webhooks.ts';
import { suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const publicUrl = 'https://earshot.example.com';
const always = { field: 'qualityScore', operator: 'gte', value: 0 };

let server: MailServer;
let service: TestApp;
let logged: string;
let org: TestMember;
let count = 0;

const log = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  logged = '';
  server = await startMailServer();
  const env = {
    SMTP_URL: server.url,
    MAIL_FROM: 'Earshot <calls@example.com>',
    PUBLIC_URL: publicUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'trace',
  };
  service = await createTestApp({ env, log });
});
afterAll(async () => {
  await service?.close();
  await server?.stop();
});
beforeEach(async () => {
  org = await service.createOrg();
});
afterEach(() => {
  server.answer = () => undefined;
});

const addressOf = async ({ userId }: TestMember): Promise<string> => {
  const [row] = await service.deps.connections.system<
    { email: string }[]
  >`select email from users where id = ${userId}`;
  return row?.email ?? '';
};

const post = (url: string, payload: object, member = org) =>
  service.as(member, { method: 'POST', url: `/api/v1${url}`, payload });

async function invite(email = `invited${(count += 1)}@example.com`, member = org): Promise<string> {
  expect((await post('/users/invite', { email, role: 'reviewer' }, member)).status).toBe(201);
  return email;
}

async function addRule(payload: object = {}): Promise<string> {
  const rule = { name: 'Any call', condition: always, actions: ['email'], ...payload };
  const { status, body } = await post('/alerts', rule);
  expect(status).toBe(201);
  return body.data.id;
}

async function addCall({ agentName = 'Sarah' } = {}): Promise<string> {
  const id = newRecordId();
  const { db } = service.deps.services;
  const record = { id, projectId: org.projectId, source: 'upload' as const, agentName, customerPhone: '+447700900123' };
  await db.withOrg(org.orgId, (tx) => createRecord(tx, record, suppliedTranscript(id)));
  return id;
}

function mailsTo(address: string, from = server): ReceivedMail[] {
  return from.received.filter(({ to }) => to.includes(address));
}

async function mailTo(address: string, number = 1): Promise<ReceivedMail> {
  return eventually(() => mailsTo(address)[number - 1]);
}

/** Until nothing of the pipeline is under way, so that what has not been sent is not going to be. */
async function allDone(t = service): Promise<void> {
  await sleep(100);
  await eventually(async () => {
    const { outbox, engine } = await t.deps.services.pipeline.status();
    return (outbox.waiting === 0 && engine.running === 0) || undefined;
  });
}

function headerLines({ raw }: ReceivedMail): string[] {
  return raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n');
}

describe('an invite', () => {
  it('reaches the address that is invited, as text and as HTML, with the way in', async () => {
    const email = await invite();
    const { from, to, mail } = await mailTo(email);
    expect({ from, to }).toEqual({ from: 'calls@example.com', to: [email] });
    expect(mail.from).toMatchObject({ name: 'Earshot', address: 'calls@example.com' });
    expect(mail.subject).toMatch(/^You are invited to Org \d+ on Earshot$/);
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain(`${publicUrl}/`);
      expect(text).toContain('reviewer');
      expect(text).toContain(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
    }
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('that was withdrawn before it was sent is not sent', async () => {
    const quiet = await createTestApp({
      env: { SMTP_URL: server.url, MAIL_FROM: 'calls@example.com', LOG_LEVEL: 'silent' },
      runPipeline: false,
    });
    try {
      const owner = await quiet.createOrg();
      const payload = { email: 'withdrawn@example.com', role: 'agent' };
      const { body } = await quiet.as(owner, { method: 'POST', url: '/api/v1/users/invite', payload });
      await quiet.as(owner, { method: 'DELETE', url: `/api/v1/users/${body.data.id}` });
      await quiet.deps.start();
      await allDone(quiet);
      expect(mailsTo('withdrawn@example.com')).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});

describe('an alert', () => {
  it('reaches owners and admins unless the rule names others', async () => {
    const admin = await service.addMember(org, 'admin');
    const supervisor = await service.addMember(org, 'supervisor');
    await addRule({ name: 'Low score' });
    const recordId = await addCall();
    const [ours, theirs] = [await addressOf(org), await addressOf(admin)];
    const { mail } = await mailTo(ours);
    await mailTo(theirs);
    expect(mail.subject).toBe('[warning] Low score');
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain(`${publicUrl}/calls/${recordId}`);
      expect(text).toContain('qualityScore at least 0');
      expect(text).toContain('Sarah');
    }
    await allDone();
    expect(mailsTo(await addressOf(supervisor))).toEqual([]);
    expect([mailsTo(ours).length, mailsTo(theirs).length]).toEqual([1, 1]);
  });

  it('says nothing of the customer and nothing that was said', async () => {
    await addRule();
    await addCall();
    const { raw, mail } = await mailTo(await addressOf(org));
    const all = [raw, mail.text, mail.html].join('\n');
    for (const secret of ['900123', '0123', 'Keller', 'four four seven', 'charged twice'])
      expect(all).not.toContain(secret);
  });

  it('reaches each of the rule’s recipients once, and nobody at an address that cannot exist', async () => {
    const recipients = ['Ann.Once@example.com', 'ann.once@example.com', 'ben@example.com', 'nobody@portal.invalid'];
    await addRule({ recipients });
    await addCall();
    await mailTo('ben@example.com');
    await allDone();
    const all = server.received.flatMap(({ to }) => to.map((address) => address.toLowerCase()));
    expect(all.filter((address) => address === 'ann.once@example.com')).toHaveLength(1);
    expect(all.filter((address) => address.endsWith('.invalid'))).toEqual([]);
    expect(mailsTo(await addressOf(org))).toEqual([]);
  });

  it('of a rule without the action is not mailed', async () => {
    const id = await addRule({ actions: ['webhook'] });
    await addCall();
    await eventually(async () => {
      const { body } = await service.as(org, { url: `/api/v1/alerts/${id}` });
      return body.data.triggerCount === 1 || undefined;
    });
    await allDone();
    expect(mailsTo(await addressOf(org))).toEqual([]);
  });
});

describe('a budget', () => {
  it('is told of at 80 and at 100 percent, to owners and admins', async () => {
    const admin = await service.addMember(org, 'admin');
    await addCall();
    await allDone();
    const { body } = await service.as(org, { url: `/api/v1/billing/summary/${org.orgId}` });
    const payload = { budgetLimit: body.data.totalCost };
    await service.as(org, { method: 'PATCH', url: `/api/v1/billing/budget/${org.orgId}`, payload });
    for (const address of [await addressOf(org), await addressOf(admin)]) {
      await mailTo(address, 2);
      expect(
        mailsTo(address)
          .map(({ mail }) => mail.subject?.replace(/Org \d+/, 'Org'))
          .toSorted(),
      ).toEqual([
        expect.stringMatching(/^80 % of the budget of Org for \d{4}-\d\d is used$/),
        expect.stringMatching(/^The budget of Org for \d{4}-\d\d is used up$/),
      ]);
    }
  });
});

describe('a webhook that is disabled', () => {
  it('is told to owners, without the part of its address that may hold a key', async () => {
    const admin = await service.addMember(org, 'admin');
    const receiver = await startReceiver((res) => void res.writeHead(410).end());
    try {
      const url = receiver.url('/hooks/t0p-key?signature=s3cret');
      const { id } = await createWebhook(service, org, { url, events: ['record.completed'] });
      await post(`/webhooks/${id}/test`, {});
      const { mail } = await mailTo(await addressOf(org));
      const { host } = new URL(url);
      expect(mail.subject).toBe(`The webhook to ${host} is disabled`);
      for (const text of [mail.text, mail.html]) {
        expect(text).toContain('it answered 410 Gone');
        expect(text).toContain(`${publicUrl}/webhooks/${id}`);
        expect(text).not.toMatch(/t0p-key|s3cret/);
      }
      await allDone();
      expect(mailsTo(await addressOf(admin))).toEqual([]);
    } finally {
      await receiver.close();
    }
  });
});

describe('what somebody typed', () => {
  const hostile = 'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u202E"><img src=x>';

  it('never becomes a header, another recipient or markup', async () => {
    await service.deps.connections.system`update orgs set name = ${hostile} where id = ${org.orgId}`;
    await addRule({ name: hostile });
    await addCall({ agentName: hostile });
    const email = await invite();
    const mails = [await mailTo(await addressOf(org)), await mailTo(email)];
    for (const received of mails) {
      expect(received.to).toHaveLength(1);
      const names = headerLines(received).flatMap((line) =>
        /^\s/.test(line) ? [] : [line.split(':')[0]?.toLowerCase()],
      );
      expect(names).not.toContain('bcc');
      expect(new Set(names).size).toBe(names.length);
      expect(received.mail.subject).not.toMatch(/[\r\n\u202E]/);
      expect(received.mail.html).toContain('&lt;script&gt;');
      expect(received.mail.html).not.toMatch(/<script|<img/);
    }
    expect(mailsTo('victim@example.com')).toEqual([]);
  });
});

describe('a mail server', () => {
  it('has its own metrics, in which recipients are no labels', async () => {
    const email = await invite();
    await mailTo(email);
    await allDone();
    const { body } = await service.app.inject('/metrics');
    expect(body).toMatch(
      /^earshot_provider_duration_seconds_count\{provider="smtp",operation="send",outcome="ok"\} \d+$/m,
    );
    const steps = [...body.matchAll(/_count\{function="(?:earshot-)?send-mail",step="([^"]+)"/g)].map(
      ([, step]) => step,
    );
    expect(new Set(steps)).toEqual(new Set(['recipients', 'send', 'done']));
  });

  it('that refuses one recipient keeps no mail from the others; the run ends with the reason and can be retried', async () => {
    server.answer = (address) =>
      address.startsWith('gone') ? { code: 550, text: '5.1.1 <gone@example.com> no such user' } : undefined;
    await addRule({ recipients: ['gone@example.com', 'here@example.com'] });
    await addCall();
    await mailTo('here@example.com');
    const { system } = service.deps.connections;
    const run = await eventually(async () => {
      const runs = await listRuns(system, { failedOnly: true });
      return runs.find(({ functionId, orgId }) => functionId === 'earshot-send-mail' && orgId === org.orgId);
    });
    expect(run.error?.message).toBe(
      '1 of 2 mails were not delivered. The mail server refuses the mail: it answered 550 5.1.1 to RCPT TO.',
    );
    expect(logged).toContain('550 5.1.1');
    expect(logged).not.toMatch(/(gone|here)@example\.com/);
    server.answer = () => undefined;
    await retryFailedRun({ db: service.deps.services.db, system }, run.id);
    await mailTo('gone@example.com');
    await allDone();
    expect(mailsTo('here@example.com')).toHaveLength(1);
  });

  it('that is asked to come back later, or was away, gets the mail then, and once', async () => {
    const hits: string[] = [];
    server.answer = (address) => {
      hits.push(address);
      return hits.length === 1 ? { code: 451, text: '4.7.1 greylisted' } : undefined;
    };
    const greylisted = await invite();
    await eventually(() => hits[0]);
    await server.stop();
    const whileAway = await invite();
    await sleep(500);
    const back = await startMailServer({ port: server.port });
    server.received.push(...back.received);
    try {
      await eventually(() => mailsTo(greylisted, back)[0] && mailsTo(whileAway, back)[0], 30_000);
      await allDone();
      expect([mailsTo(greylisted, back).length, mailsTo(whileAway, back).length]).toEqual([1, 1]);
    } finally {
      await back.stop();
      const again = await startMailServer({ port: server.port });
      again.received.push(...server.received);
      server = again;
    }
  });

  it('is given a mail once, and under the same id where it is not known whether it has it', async () => {
    const email = await invite();
    const first = await mailTo(email);
    await allDone();
    await repeatLastRun();
    await allDone();
    expect(mailsTo(email)).toHaveLength(1);
    // Between the answer of the server and the note of it, the sender died.
    const { system } = service.deps.connections;
    await asAdmin(
      service.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update mail_sends set accepted_at = null, claimed_until = now() + interval '2 seconds'
                    where order_id = (select id from outbox order by id desc limit 1)`,
    );
    await repeatLastRun();
    // It may still be at it, as far as another run can know.
    const waiting = await eventually(async () => {
      const [item] = await system`select available_at from engine_queue where attempt > 0`;
      return item?.['available_at'];
    });
    expect(waiting.getTime()).toBeGreaterThan(Date.now() + 60_000);
    expect(mailsTo(email)).toHaveLength(1);
    await eventually(async () => {
      await system`update engine_queue set available_at = now() where owner is null`;
      return mailsTo(email)[1];
    });
    const second = await mailTo(email, 2);
    expect(second.mail.messageId).toBe(first.mail.messageId);
    expect(second.mail.date).toBe(first.mail.date);
    expect(first.mail.messageId).toMatch(/^<[0-9a-f]{32}@earshot\.example\.com>$/);
  });
});

/** As when its order was announced again. */
async function repeatLastRun(): Promise<void> {
  const { system } = service.deps.connections;
  const id = newRunId();
  const functionId = 'earshot-send-mail';
  await system.begin(async (tx) => {
    await tx`insert into engine_runs (id, function_id, event_id, event, lane)
      select ${id}, function_id, ${id}, event, lane from engine_runs where function_id = ${functionId} order by id desc limit 1`;
    await tx`insert into engine_queue (run_id, step_id, function_id, lane)
      select id, 'step', function_id, lane from engine_runs where id = ${id}`;
    await tx`select pg_notify('earshot_engine', '')`;
  });
}

describe('the link of an alert mail', () => {
  async function linkOf({ mail }: ReceivedMail): Promise<{ url: string; path: string }> {
    const [, url = ''] = /Unsubscribe: (\S+)/.exec(mail.text ?? '') ?? [];
    return { url, path: url.slice(publicUrl.length) };
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('ends these mails for its address by one click, without signing in, and takes them up again', async () => {
    const [address, other] = [`reader${(count += 1)}@example.com`, `other${count}@example.com`];
    await addRule({ recipients: [address, other] });
    await addCall();
    const first = await mailTo(address);
    const { url, path: link } = await linkOf(first);
    const headers = Object.fromEntries(first.mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'list-unsubscribe': `<${url}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    });
    expect(url).not.toContain('reader');

    // Looking at the link changes nothing.
    const page = await service.app.inject({ url: link });
    expect(page).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.body).toContain('Stop these mails');
    await addCall();
    await mailTo(address, 2);
    await mailTo(other, 2);

    const oneClick = { method: 'POST' as const, url: link, headers: form, payload: 'List-Unsubscribe=One-Click' };
    expect((await service.app.inject(oneClick)).statusCode).toBe(200);
    expect((await service.app.inject(oneClick)).statusCode).toBe(200);
    await addCall();
    await mailTo(other, 3);
    await allDone();
    expect(mailsTo(address)).toHaveLength(2);

    await service.app.inject({ ...oneClick, payload: 'wanted=1' });
    await addCall();
    await mailTo(address, 3);
  });

  it('is good for nothing when it is changed in any place', async () => {
    const address = `careful${(count += 1)}@example.com`;
    await addRule({ recipients: [address] });
    await addCall();
    const { path: link } = await linkOf(await mailTo(address));
    const [orgId = '', recipient = '', signature = ''] = link.split('token=')[1]?.split('.') ?? [];
    const { orgId: stranger } = await service.createOrg();
    const turned = (text: string): string => `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`;
    const tokens = [
      '',
      'nonsense',
      '%00',
      `${orgId}.${recipient}`,
      `${stranger}.${recipient}.${signature}`,
      `${orgId}.${turned(recipient)}.${signature}`,
      `${orgId}.${recipient}.${turned(signature)}`,
      `${orgId}.${recipient}.${signature}.x`,
    ];
    for (const token of tokens) {
      for (const method of ['GET', 'POST'] as const) {
        const payload = method === 'POST' ? { headers: form, payload: '' } : {};
        const { statusCode, body } = await service.app.inject({
          method,
          url: `/mail/unsubscribe?token=${token}`,
          ...payload,
        });
        expect({ token, statusCode, isTold: body.includes('not valid') }).toEqual({
          token,
          statusCode: 404,
          isTold: true,
        });
      }
    }
    await addCall();
    await mailTo(address, 2);
  });
});

describe('without a mail server', () => {
  it('mails are files, and the log names none of their readers', async () => {
    logged = '';
    const quiet = await createTestApp({ env: { LOG_LEVEL: 'trace' }, log });
    try {
      const owner = await quiet.createOrg();
      const payload = { email: 'on.disk@example.com', role: 'agent' };
      await quiet.as(owner, { method: 'POST', url: '/api/v1/users/invite', payload });
      const folder = path.join(quiet.dataDir, 'outbox');
      const [file = ''] = await eventually(async () => {
        const files = await readdir(folder).catch(() => []);
        return files.some((name) => name.endsWith('.eml')) ? files : undefined;
      });
      expect(file).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-[0-9a-f]{16}\.eml$/);
      const mail = await PostalMime.parse(await readFile(path.join(folder, file)));
      expect(mail.to).toMatchObject([{ address: 'on.disk@example.com' }]);
      expect(mail.html).toContain('Sign in');
      // The other service may still log.
      const isSent = (line: string) => line.includes('"mail sent"') && line.includes(owner.orgId);
      await eventually(() => logged.split('\n').find(isSent));
      expect(logged).not.toContain('on.disk@example.com');
    } finally {
      await quiet.close();
    }
  });
});
