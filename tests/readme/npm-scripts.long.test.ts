import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand } from '../support/program.ts';
import { root } from './blocks.ts';

let database: TestDatabase;
let folder: string;

/** A checkout with a `.env`, and an environment that says nothing. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-scripts-'));
  for (const name of ['package.json', 'node_modules', 'src']) {
    await symlink(path.join(root, name), path.join(folder, name));
  }
  await writeFile(path.join(folder, '.env'), `PORT=0\nDATABASE_URL=${database.url}\nLOG_LEVEL=info\n`);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const { PATH = '', HOME = '' } = process.env;

describe('what npm starts', () => {
  it(
    'takes its settings from .env, so that service and command line have one database',
    { timeout: 60_000 },
    async () => {
      const create = [
        'run',
        '-s',
        'admin',
        '--',
        'org',
        'create',
        '--name',
        'Acme',
        '--owner',
        'a@example.com',
        '--json',
      ];
      const created = await runCommand('npm', create, { env: {}, cwd: folder });
      expect(created).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') });
      const { orgId, token } = JSON.parse(created.stdout) as { orgId: string; token: string };

      const child = spawn('npm', ['start'], { cwd: folder, env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'] });
      const closed = once(child, 'close');
      child.stderr.resume();
      let baseUrl: string | undefined;
      for await (const line of createInterface(child.stdout)) {
        if (!line.startsWith('{')) continue;
        const entry = JSON.parse(line) as { msg: string; baseUrl?: string };
        if (entry.msg === 'ready') baseUrl = entry.baseUrl;
        if (baseUrl !== undefined) break;
      }
      child.stdout.resume();
      const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
      expect((await fetch(`${baseUrl}/api/v1/projects`, { headers })).status).toBe(200);

      // As systemd and a supervisor do it: the signal goes to npm alone.
      child.kill('SIGTERM');
      await closed;
      await expect(fetch(`${baseUrl}/health/live`)).rejects.toThrow(/fetch failed/);
    },
  );

  it('goes by a variable that is set before .env', async () => {
    const list = ['run', '-s', 'admin', '--', 'runs', 'list'];
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };
    expect(await runCommand('npm', list, { env, cwd: folder })).toMatchObject({ code: 1 });
    expect(await runCommand('npm', list, { env: {}, cwd: folder })).toMatchObject({ code: 0 });
  });

  it('says what is wrong with a .env that cannot be read', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'earshot-scripts-'));
    for (const name of ['package.json', 'node_modules', 'src']) {
      await symlink(path.join(root, name), path.join(other, name));
    }
    await symlink(other, path.join(other, '.env'));
    const { code, stderr } = await runCommand('npm', ['start'], { env: {}, cwd: other });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('.env cannot be read') });
    await rm(other, { recursive: true });
  });
});
