import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { assertCanStart } from '../../src/setup/start-checks.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startService } from './support.ts';

const patienceMs = 60_000;
const [stranger, nobody] = [12_345, 65_534];
const isRoot = process.geteuid?.() === 0;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'earshot-start-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** How the service ends that cannot start: with a code, a sentence, and nothing else. */
async function refusal(env: Record<string, string>, options: { uid?: number } = {}): Promise<string> {
  const service = startService({ LOG_LEVEL: 'info', ...env }, options);
  expect(await service.exit()).toMatchObject({ code: 1 });
  expect(service.lines()).toEqual([]);
  const said = service.stderr();
  expect(said).toMatch(/^[^\n]+\.\n$/);
  expect(said).not.toMatch(/ at |Error|node:/);
  return said;
}

type Foreign = { folder: string; uid?: number; says: RegExp };

/** Root may change everything, so for root somebody else starts the service. */
async function foreignFolder(): Promise<Foreign> {
  if (!isRoot) return { folder: '/earshot-data', says: /cannot be made by user .*, who may not change \/:/ };
  await chmod(root, 0o755);
  const folder = path.join(root, 'data');
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, stranger, stranger);
  const says =
    /data belongs to user 12345, not to nobody: start as 12345, give it to nobody \(chown -R nobody .*data\)/;
  return { folder, uid: nobody, says };
}

describe('a start that cannot succeed says what to do, and makes nothing', { timeout: patienceMs }, () => {
  it('on a port that is in use', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const said = await refusal({ DATA_DIR: path.join(root, 'data'), PORT: String(port) });
    expect(said).toContain(`Port ${port} of 127.0.0.1 is in use`);
    expect(said).toContain(`PORT=${port + 1}`);
    expect(await readdir(root)).toEqual([]);
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('on an address that is not of this machine', async () => {
    const config = loadConfig({ DATA_DIR: root, HOST: '192.0.2.1', PORT: '34567' });
    await expect(assertCanStart(config)).rejects.toThrow(
      /^HOST=192\.0\.2\.1 is not an address of this machine: set it to /,
    );
  });

  it('in a folder that belongs to somebody else', async () => {
    const { uid, folder, says } = await foreignFolder();
    expect(await refusal({ DATA_DIR: folder }, uid === undefined ? {} : { uid })).toMatch(says);
  });

  it('where a file is in the way', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, 'mine');
    const config = loadConfig({ DATA_DIR: path.join(file, 'data'), PORT: '0' });
    await expect(assertCanStart(config)).rejects.toThrow(
      /needs a folder, and .*file is a file: set DATA_DIR to another/,
    );
  });

  it('on a disk that is full, or nearly', async () => {
    const disk = await mountSmallDisk(20);
    if (!disk) return;
    try {
      const folder = path.join(disk.path, 'data');
      expect(await refusal({ DATA_DIR: folder })).toMatch(
        /The disk of DATA_DIR \(.*\) is full: 20 MB are free and a start takes 200 MB\. Make room/,
      );
      expect(await readdir(disk.path)).toEqual([]);
      await mkdir(folder);
      await disk.fill();
      const DATABASE_URL = 'postgres://earshot:canary@127.0.0.1:9/earshot';
      expect(await refusal({ DATA_DIR: folder, DATABASE_URL })).toMatch(/: 0 MB are free and a start takes 8 MB/);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await disk.remove();
    }
  });

  it('without a database to be reached', async () => {
    const DATABASE_URL = 'postgres://earshot:canary@127.0.0.1:9/earshot';
    const said = await refusal({ DATA_DIR: path.join(root, 'data'), DATABASE_URL });
    expect(said).toBe('The database cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL.\n');
    expect(await readdir(root)).toEqual([]);
  });
});
