import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createPlaybackTickets, type PlaybackTickets } from '../auth/playback-ticket.ts';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import { resealTotp } from '../domain/accounts/service.ts';
import { resealTokens } from '../domain/portals/service.ts';
import { resealWebhook } from '../domain/webhooks/service.ts';
import type { Logger } from '../lib/logger.ts';
import { createSecretBox, type SecretBox } from '../lib/secret-box.ts';

type KeySettings = Pick<Config, 'SECRETS_KEY' | 'DATA_DIR'>;

/** Seals with SECRETS_KEY, or else with a key in the data folder, which is created on the first start. */
export async function openSecretBox(config: KeySettings): Promise<SecretBox> {
  return createSecretBox(await keysOf(config));
}

/** Signs with the same key, so that every instance can read the tickets of another. */
export async function openPlaybackTickets(config: KeySettings): Promise<PlaybackTickets> {
  return createPlaybackTickets(await keysOf(config));
}

type Sealed = { db: Database; system: Sql; secrets: SecretBox };

/**
 * Seals everything with the current key that was sealed with another one or not at all. Replaced keys are then no
 * longer needed.
 */
export async function resealSecrets({ log, ...sealed }: Sealed & { log: Logger }): Promise<void> {
  const webhooks = await resealWebhooks(sealed);
  const portals = await resealTokens(sealed);
  const totp = await resealTotp(sealed);
  const counted = (what: 'sealed' | 'closed') => ({
    webhooks: webhooks[what],
    portals: portals[what],
    authenticators: totp[what],
  });
  if (webhooks.sealed + portals.sealed + totp.sealed > 0) {
    log.info(counted('sealed'), 'secrets are sealed with the present key');
  }
  if (webhooks.closed + portals.closed + totp.closed > 0) {
    log.error(counted('closed'), 'secrets were sealed with a key that is not configured: see SECRETS_KEY');
  }
}

async function resealWebhooks({ db, system, secrets }: Sealed): Promise<{ sealed: number; closed: number }> {
  const counts = { sealed: 0, closed: 0 };
  const found = await system<{ orgId: string; id: string }[]>`
    select org_id as "orgId", id from webhooks where sealed_by is distinct from ${secrets.keyName} order by org_id, id`;
  for (const { orgId, id } of found) {
    const isSealed = await db.withOrg(orgId, (tx) => resealWebhook(tx, secrets, id));
    counts[isSealed ? 'sealed' : 'closed'] += 1;
  }
  return counts;
}

const fileName = 'secrets.key';
const keyBytes = 32;

async function keysOf({ SECRETS_KEY: keys = [], DATA_DIR }: KeySettings): Promise<readonly string[]> {
  return keys.length > 0 ? keys : [await ownKey(path.resolve(DATA_DIR))];
}

/** The key that this data folder has created; null before the first start, and if SECRETS_KEY is set. */
export async function readOwnKey({ SECRETS_KEY: keys = [], DATA_DIR }: KeySettings): Promise<string | null> {
  return keys.length > 0 ? null : readKey(path.join(path.resolve(DATA_DIR), fileName));
}

/** Stores a key in a data folder that has none yet. */
export async function keepOwnKey({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, key: string): Promise<void> {
  const kept = await makeKey(path.resolve(DATA_DIR), key);
  if (kept !== key) throw new Error(`${path.resolve(DATA_DIR, fileName)} holds another key.`);
}

async function ownKey(dataDir: string): Promise<string> {
  const known = await readKey(path.join(dataDir, fileName));
  return known ?? makeKey(dataDir, randomBytes(keyBytes).toString('base64url'));
}

async function makeKey(dataDir: string, key: string): Promise<string> {
  const file = path.join(dataDir, fileName);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, key, { mode: 0o600, flush: true });
  // Another process may start at the same moment and create a key too: the first one wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const made = await readKey(file);
  if (made === null) throw new Error(`${file} has disappeared.`);
  return made;
}

/** Throws if the file is cut off: anybody could open what an empty key seals. */
async function readKey(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const key = text?.trim() ?? null;
  if (key !== null && Buffer.from(key, 'base64url').length < keyBytes) {
    throw new Error(
      `${file} does not contain a complete key. Restore it from a backup: without it, sealed secrets cannot be opened.`,
    );
  }
  return key;
}
