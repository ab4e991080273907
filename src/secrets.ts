import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';
import { createSecretBox, type SecretBox } from './lib/secret-box.ts';

/** Seals by SECRETS_KEY; without it by a key of this data folder, which is made when there is something to seal. */
export async function openSecretBox({
  SECRETS_KEY: keys = [],
  BITRIX24_CLIENT_ID: clientIds,
  DATA_DIR,
}: Config): Promise<SecretBox> {
  if (keys.length > 0) return createSecretBox(keys);
  if (clientIds === undefined) return createSecretBox([newKey()]);
  return createSecretBox([await ownKey(path.resolve(DATA_DIR))]);
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

async function ownKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secrets.key');
  const known = await readKey(file);
  if (known !== null) return known;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, newKey(), { mode: 0o600 });
  // Whoever starts at the same moment makes a key too: the first one stays.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readKey(file)) ?? '';
}

async function readKey(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
