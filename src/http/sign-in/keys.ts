import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';

/** What the embedded provider signs with: tokens, and the cookies of its pages. */
export type ProviderKeys = { signing: JWK; cookieSecret: string };

const Stored = z.object({ signing: z.looseObject({ kty: z.string() }), cookieSecret: z.string().min(32) });

/** Stored in the data folder, so that tokens survive a restart. Created if missing. */
export async function loadProviderKeys(dataDir: string): Promise<ProviderKeys> {
  const file = path.resolve(dataDir, 'sign-in-keys.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return Stored.parse(JSON.parse(text)) as ProviderKeys;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const keys = {
    signing: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
    cookieSecret: randomBytes(32).toString('base64url'),
  };
  await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}
