import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/db/embedded-cluster.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { shutDownServer } from '../../src/db/embedded-server.ts';
import { DemoFile } from '../../src/demo/demo-file.ts';

const entry = fileURLToPath(new URL('../../src/demo/main.ts', import.meta.url));
const startTimeoutMs = 600_000;
const stopTimeoutMs = 10_000;
let dataDir = '';
let first: RunningDemo;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-demo-'));
  first = await startDemo();
}, startTimeoutMs + 60_000);

afterAll(async () => {
  const left = await findPostmaster(layoutOf(dataDir).cluster);
  if (left) await shutDownServer(left.pid);
  await rm(dataDir, { recursive: true, force: true });
});

type RunningDemo = { output: string; access: DemoFile; stop(): Promise<{ code: number | null; tookMs: number }> };

/** The demo as a user starts it, up to the line that says how to end it. */
async function startDemo(): Promise<RunningDemo> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', NO_COLOR: '1' };
  const child = spawn(process.execPath, [entry, '--no-install'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not up in time:\n${output}`)), startTimeoutMs);
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!output.includes('Ctrl-C stops everything.')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    void ended.then(() => reject(new Error(`ended early:\n${output}`)));
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const access = DemoFile.parse(JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')));
  const stop = async (): Promise<{ code: number | null; tookMs: number }> => {
    const startedAt = Date.now();
    // What Ctrl-C does: every process of the group is hit.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    const [code] = (await ended) as [number | null];
    return { code, tookMs: Date.now() - startedAt };
  };
  return { output, access, stop };
}

type Organization = { orgId: string; token: string };
type Answer = { status: number; data: Record<string, unknown>[] & Record<string, unknown>; total: number };

async function get(baseUrl: string, { orgId, token }: Organization, resource: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Selected-Org-ID': orgId };
  const response = await fetch(`${baseUrl}/api/v1${resource}`, { headers });
  const body = (await response.json()) as { data: Answer['data']; meta?: { total: number } };
  return { status: response.status, data: body.data, total: body.meta?.total ?? 0 };
}

/** By the command that README.md gives. */
describe('the first start', () => {
  it('speaks calls in all formats, and shows what was found in them', async () => {
    const { baseUrl, otherOrg } = first.access;
    const records = await get(baseUrl, first.access, '/records?order=asc');
    expect(records.total).toBe(7);
    expect(records.data.map((record) => record['status'])).toEqual(Array.from({ length: 7 }, () => 'completed'));
    expect((await get(baseUrl, otherOrg, '/records?status=completed')).total).toBe(2);

    const details = await Promise.all(
      records.data.map((record) => get(baseUrl, first.access, `/records/${record['id']}`)),
    );
    const formats = details.map(({ data }) => (data['file'] as { name: string }).name.split('.').at(-1));
    expect(new Set(formats)).toEqual(new Set(['wav', 'mp3', 'ogg', 'flac', 'm4a']));
    expect((await get(baseUrl, otherOrg, `/records/${records.data[0]?.['id']}`)).status).toBe(404);

    for (const title of ['Internet is down', 'Where is my parcel?', 'Test results'])
      expect(first.output).toContain(title);
    expect(first.output).toContain('Why “Card payment” got');
    expect(first.output).toMatch(/0:\d\d agent: “.+”/);
  });

  it('scores the calls apart: the model call high, the rude one low, the card number as a breach', async () => {
    const { baseUrl } = first.access;
    const { data: records } = await get(baseUrl, first.access, '/records?order=asc');
    const byId = new Map<unknown, Record<string, unknown>>();
    for (const record of records) {
      const { data } = await get(baseUrl, first.access, `/records/${record['id']}`);
      byId.set(data['externalId'], data);
    }
    const score = (id: string): number => Number(byId.get(id)?.['qualityScore']);
    expect(score('demo-internet-down')).toBeGreaterThanOrEqual(80);
    expect(score('demo-parcel-argument')).toBeLessThan(50);
    expect(score('demo-hotel-unresolved')).toBeLessThan(score('demo-internet-down'));
    expect(byId.get('demo-internet-down')?.['complianceStatus']).toBe('passed');
    expect(byId.get('demo-card-aloud')?.['complianceStatus']).toBe('failed');
    expect(['needs_review', 'failed']).toContain(byId.get('demo-insurance-pressure')?.['complianceStatus']);
  });

  it('was watched by alert rules, and had the credits for it', async () => {
    const { baseUrl, orgId } = first.access;
    const alerts = await get(baseUrl, first.access, '/alerts');
    const fired = Object.fromEntries(alerts.data.map((rule) => [rule['name'], Number(rule['triggerCount']) > 0]));
    expect(fired).toEqual({ 'Compliance breach': true, 'Low score': true });
    const { data: billing } = await get(baseUrl, first.access, `/billing/summary/${orgId}`);
    expect((billing['credits'] as { available: number }).available).toBeGreaterThan(20);
  });

  it('has people of every role, and lets them sign in', async () => {
    const { baseUrl, issuer, clientId } = first.access;
    expect([issuer, clientId]).toEqual([`${baseUrl}/oidc`, 'earshot-dashboard']);
    const discovered = await fetch(`${issuer}/.well-known/openid-configuration`);
    expect(await discovered.json()).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] });
    const users = await get(baseUrl, first.access, '/users');
    expect(users.data.map((user) => user['role'])).toEqual(['owner', 'admin', 'supervisor', 'reviewer', 'agent']);
  });
});

it(
  'ends on Ctrl-C with everything that it started, and finds all of it again on the next start',
  async () => {
    const stopped = await first.stop();
    expect(stopped.code).toBe(0);
    expect(stopped.tookMs).toBeLessThan(stopTimeoutMs);
    expect(await findPostmaster(layoutOf(dataDir).cluster)).toBeUndefined();

    await rm(path.join(dataDir, 'demo.json'));
    const second = await startDemo();
    expect(second.output).not.toContain('being spoken');
    expect(second.access.orgId).toBe(first.access.orgId);
    expect(second.access.token).not.toBe(first.access.token);
    expect((await get(second.access.baseUrl, first.access, '/records')).total).toBe(7);
    expect((await get(second.access.baseUrl, second.access, '/records')).total).toBe(7);
    await second.stop();

    const third = await startDemo();
    expect(third.access.token).toBe(second.access.token);
    await third.stop();
  },
  startTimeoutMs,
);
