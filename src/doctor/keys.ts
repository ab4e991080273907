import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import { readSealingKeys } from '../db/sealing-keys.ts';
import { keyNameOf } from '../lib/secret-box.ts';
import { readOwnKey } from '../setup/secrets.ts';
import { messageOf } from '../lib/errors.ts';
import { type Finding, of } from './finding.ts';

/** Whether the available keys can open what is sealed in the database. */
export async function examineKeys(config: Config, sql: Sql | null): Promise<Finding> {
  const say = of('keys');
  const { SECRETS_KEY: configured = [], DATA_DIR } = config;
  let own: string | null;
  try {
    own = await readOwnKey(config);
  } catch (error) {
    return say('error', messageOf(error));
  }
  const known = configured.length > 0 ? configured.map(keyNameOf) : own === null ? [] : [keyNameOf(own)];
  const sealedBy = sql === null ? [] : await sql.begin('read only', (tx) => readSealingKeys(tx));
  const lacking = sealedBy.filter((name) => !known.includes(name));
  if (lacking.length > 0) {
    const where =
      configured.length > 0 ? 'behind the first one in SECRETS_KEY' : 'into DATA_DIR/secrets.key, or set SECRETS_KEY';
    return say('error', `Secrets are sealed with key ${lacking.join(', ')}, which is not here: put it back ${where}.`);
  }
  if (own !== null && (await isOpenToOthers(path.resolve(DATA_DIR, 'secrets.key')))) {
    return say('warning', 'Others may read DATA_DIR/secrets.key: chmod 600 it.');
  }
  if (known.length === 0) return say('ok', 'the first start makes one');
  return say('ok', `${configured.length > 0 ? 'SECRETS_KEY' : 'DATA_DIR/secrets.key'} opens what is sealed`);
}

async function isOpenToOthers(file: string): Promise<boolean> {
  const { mode } = await stat(file);
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
