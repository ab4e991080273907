import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook, deliveryThat } from '../support/webhooks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let t: TestApp;
let owner: TestMember;
let folder: string;
let page: string;

beforeAll(async () => {
  t = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' } });
  owner = await t.createOrg();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-docs-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8');
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Receiving = { child: ChildProcess; output(): string; stop(): Promise<void> };

/** The block of code as it stands there, on another port. */
async function run(language: string, { port, secret }: { port: number; secret: string }): Promise<Receiving> {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page) ?? [];
  if (code === undefined) throw new Error(`There is no ${language} in docs/webhooks.md.`);
  const [command, name] = language === 'js' ? [process.execPath, 'receiver.mjs'] : ['python3', 'receiver.py'];
  const file = path.join(folder, name);
  // Nobody who follows the page opens a port of their machine to the network.
  expect(code).toMatch(/8080, '127\.0\.0\.1'|"127\.0\.0\.1", 8080/);
  await writeFile(file, code.replace('8080', String(port)));
  const child = spawn(command, [file], { env: { PATH: process.env['PATH'], SECRET: secret } });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  return {
    child,
    output: () => text,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function post(url: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => undefined,
  );
}

describe('docs/webhooks.md', () => {
  it.each(['js', 'python'])(
    'has a receiver (%s) that takes what is signed and refuses anything else',
    async (language) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const webhook = await createWebhook(t, owner, { url, events: ['record.deleted'] });
      const receiving = await run(language, { port, secret: webhook.secret });
      try {
        const forged = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
          'webhook-signature': 'v1,aGVsbG8=',
        };
        await eventually(async () => (await post(url, forged, '{}')) === 400 || undefined);
        expect(await post(url, {}, '{}')).toBe(400);
        await t.as(owner, { method: 'POST', url: `/api/v1/webhooks/${webhook.id}/test` });
        const at = { member: owner, webhookId: webhook.id };
        await deliveryThat(t, at, ({ status }) => status === 'succeeded');
        await eventually(() => receiving.output().includes(webhook.id) || undefined);
        expect(receiving.output()).toContain('webhook.test');
      } finally {
        await receiving.stop();
      }
    },
  );

  it('says what its receivers need on one machine: the setting, the address and the package', () => {
    expect(page).toMatch(/OUTBOUND_ALLOW=127\.0\.0\.1 npm start[^]*"url":"http:\/\/127\.0\.0\.1:8080\/"/);
    expect(page).toContain('npm install standardwebhooks');
  });

  it('names the events, the schedule and the headers as they are', async () => {
    const { webhookEvents } = await import('../../src/domain/events/payloads.ts');
    for (const type of [...webhookEvents, 'webhook.test']) expect(page).toContain(`| \`${type}\``);
    expect(page).toMatch(/5 s +\| 5 min \| 30 min \| 2 h \| 5 h \| 10 h \| 14 h \| 20 h \| 24 h/);
  });
});
