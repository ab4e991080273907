import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { openSecretBox } from '../../src/setup/secrets.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the key that seals', () => {
  it('is made at the first start, once, for its owner alone, and is the same at the next', async () => {
    const DATA_DIR = path.join(folder, 'data');
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox({ DATA_DIR })));
    const later = await openSecretBox({ DATA_DIR });
    expect(later.open(boxes[0]?.seal('secret', 'here') ?? '', 'here')).toBe('secret');
    expect(new Set(boxes.map(({ keyName }) => keyName))).toEqual(new Set([later.keyName]));
    expect(await readdir(DATA_DIR)).toEqual(['secrets.key']);
    expect((await stat(path.join(DATA_DIR, 'secrets.key'))).mode & 0o777).toBe(0o600);
  });

  it('is SECRETS_KEY where that is set, and then no file is made', async () => {
    const box = await openSecretBox({ DATA_DIR: folder, SECRETS_KEY: ['k'.repeat(32)] });
    expect(box.seal('secret', 'here')).not.toContain('secret');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['', 'short', '\n'])('is not taken from a file that is cut off: %j', async (content) => {
    const file = path.join(folder, 'secrets.key');
    await writeFile(file, content);
    await expect(openSecretBox({ DATA_DIR: folder })).rejects.toThrow('does not contain a complete key');
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('is a setting in production with a database that others can share, told beside all other mistakes', () => {
    const DATABASE_URL = 'postgres://127.0.0.1/earshot';
    const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://login.example.com', OIDC_AUDIENCE: 'x' };
    expect(() => loadConfig({ ...production, DATABASE_URL, PORT: 'x' })).toThrow(/PORT: [^]*SECRETS_KEY: is required/);
    expect(() => loadConfig({ ...production, DATABASE_URL, SECRETS_KEY: 'short' })).toThrow(/SECRETS_KEY.*32/);
    expect(loadConfig({ ...production, DATABASE_URL, SECRETS_KEY: 'k'.repeat(32) }).SECRETS_KEY).toHaveLength(1);
    expect(loadConfig(production).SECRETS_KEY).toBeUndefined();
    expect(loadConfig({ DATABASE_URL }).SECRETS_KEY).toBeUndefined();
  });
});
