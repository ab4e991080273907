import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createPlaybackTickets, type PlaybackTickets } from './auth/playback-ticket.ts';
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

/**
 * Signs by SECRETS_KEY too, so that every instance reads what another has signed; without it by the key of this data
 * folder, or, where nothing can be kept there, by one of this process: what it signs is short-lived.
 */
export async function openPlaybackTickets({ SECRETS_KEY: keys = [], DATA_DIR }: Config): Promise<PlaybackTickets> {
  if (keys.length > 0) return createPlaybackTickets(keys);
  const key = await ownKey(path.resolve(DATA_DIR)).catch(() => '');
  return createPlaybackTickets([key || newKey()]);
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
