import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyNameOf } from '../../src/lib/secret-box.ts';
import { formBytes, formType, makeAudio } from '../api/upload-support.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { eventually, sleep } from '../pipeline/support/hosts.ts';
import type { TestMember } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { runProgram, startService } from '../support/program.ts';
import { headersOf, openService } from '../support/release-data.ts';
import { startS3Server } from '../support/s3-server.ts';
import { failingOperations } from './support.ts';

/** As an operator does it: the service and every command are processes of their own. */
const settings = { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info' };
let folder: string;
let dataDir: string;
let file: string;
let owner: TestMember;
let mp3: Buffer;
let backup: { missing: string[]; hasKey: boolean; objects: { count: number } };
const told = { created: new Set<string>(), deleted: new Set<string>() };

type Access = { baseUrl: string; headers: Record<string, string> };
type Item = { id: string; status: string };

async function admin(args: string[], env: Record<string, string>): Promise<ReturnType<typeof JSON.parse>> {
  const { code, stdout, stderr } = await runProgram('src/admin.ts', [...args, '--json'], { ...settings, ...env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function upload({ baseUrl, headers }: Access): Promise<string> {
  const body = formBytes([
    { name: 'projectId', content: owner.projectId },
    { name: 'transcript', content: callVtt },
    { name: 'file', fileName: 'call.mp3', content: mp3 },
  ]);
  const response = await fetch(`${baseUrl}/api/v1/records/upload`, {
    method: 'POST',
    headers: { ...headers, 'content-type': formType },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

async function listAll({ baseUrl, headers }: Access): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page++) {
    const response = await fetch(`${baseUrl}/api/v1/records?pageSize=100&page=${page}`, { headers });
    const { data } = (await response.json()) as { data: Item[] };
    if (data.length === 0) return items;
    items.push(...data);
  }
}

/** Uploads, and deletes every third of these calls once it has been scored, until it is told to stop. */
async function keepBusy(access: Access, isOver: () => boolean): Promise<void> {
  const uploading = async () => {
    while (!isOver()) told.created.add(await upload(access));
  };
  const deleting = async () => {
    while (!isOver()) {
      const doomed = [...told.created].filter((id, index) => index % 3 === 0 && !told.deleted.has(id));
      for (const id of doomed) {
        const url = `${access.baseUrl}/api/v1/records/${id}`;
        const response = await fetch(url, { method: 'DELETE', headers: access.headers });
        if (response.status === 204) told.deleted.add(id);
      }
      await sleep(50);
    }
  };
  await Promise.all([uploading(), uploading(), deleting()]);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-commands-'));
  dataDir = path.join(folder, 'data');
  file = path.join(folder, 'service.tar');
  mp3 = await makeAudio('mp3', '-ar 8000 -b:a 8k');
  const service = await startService({ ...settings, DATA_DIR: dataDir });
  const made = await admin(['org', 'create', '--name', 'Safe', '--owner', 'ann@example.com'], { DATA_DIR: dataDir });
  owner = { ...made, headers: headersOf(made) };
  const access = { baseUrl: service.baseUrl, headers: owner.headers };
  await fetch(`${access.baseUrl}/api/v1/webhooks`, {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example.com/x', events: ['record.completed'] }),
  });
  let isOver = false;
  const busy = keepBusy(access, () => isOver);
  await eventually(() => told.created.size > 40, 240_000);
  backup = await admin(['backup', '--to', file], { DATA_DIR: dataDir });
  isOver = true;
  await busy;
  await service.stop();
}, 400_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every call that the restored service names can be heard and comes to its end, and further ones are taken. */
async function expectWhole(env: Record<string, string>): Promise<void> {
  const service = await startService({ ...settings, ...env });
  const access = { baseUrl: service.baseUrl, headers: owner.headers };
  try {
    expect((await fetch(`${access.baseUrl}/health/ready`)).status).toBe(200);
    const further = await upload(access);
    const isDone = async () => (await listAll(access)).every(({ status }) => status === 'completed');
    await eventually(isDone, 120_000);
    const items = await listAll(access);
    const ids = items.map(({ id }) => id).filter((id) => id !== further);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !told.created.has(id))).toEqual([]);
    expect(told.deleted.size).toBeGreaterThan(0);
    const unheard: string[] = [];
    for (const { id } of items) {
      const audio = await fetch(`${access.baseUrl}/api/v1/records/${id}/audio`, { headers: access.headers });
      if (!Buffer.from(await audio.arrayBuffer()).equals(mp3)) unheard.push(id);
    }
    expect(unheard).toEqual([]);
  } finally {
    await service.stop();
  }
  const t = await openService({ dataDir: env['DATA_DIR'] ?? '', env });
  try {
    expect(await failingOperations(t, owner)).toEqual([]);
  } finally {
    await t.close();
  }
}

/** With the commands of docs/operations.md, "Backup and restore". */
describe('a service whose calls were processed while it was backed up', () => {
  it('is whole again in an empty folder, by two commands', async () => {
    expect(backup).toMatchObject({ missing: [], hasKey: true });
    expect(backup.objects.count).toBeGreaterThan(20);
    const env = { DATA_DIR: path.join(folder, 'restored') };
    const result = await admin(['restore', '--from', file], env);
    expect(result).toMatchObject({ missing: [], isKeyKept: true });
    const keyIn = (place: string) => readFile(path.join(place, 'secrets.key'), 'utf8');
    expect(await keyIn(env.DATA_DIR)).toBe(await keyIn(dataDir));
    await expectWhole(env);
  });

  it('is whole again in an external database and a bucket, with the key as a setting', async () => {
    await using database = await createTestDatabase({ isEmpty: true });
    const s3 = await startS3Server();
    const key = await readFile(path.join(dataDir, 'secrets.key'), 'utf8');
    const env = {
      DATA_DIR: path.join(folder, 'external'),
      DATABASE_URL: database.url,
      STORAGE_URL: s3.url,
      AWS_ACCESS_KEY_ID: s3.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
    };
    try {
      const other = { ...env, SECRETS_KEY: 'another-key-that-nothing-was-sealed-with' };
      const refused = await runProgram('src/admin.ts', ['restore', '--from', file], other);
      const says = `sealed with key ${keyNameOf(key)}, which SECRETS_KEY does not contain`;
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
      const result = await admin(['restore', '--from', file], { ...env, SECRETS_KEY: key });
      expect(result).toMatchObject({ missing: [], isKeyKept: false });
      await expectWhole({ ...env, SECRETS_KEY: key });
    } finally {
      await s3.close();
    }
  });
});
