import path from 'node:path';
import { backUp } from '../backup/backup.ts';
import { isKeyToBeKept } from '../backup/keys.ts';
import { openBackup } from '../backup/opened-backup.ts';
import type { Progress } from '../backup/progress.ts';
import { restore } from '../backup/restore.ts';
import { openSink } from '../backup/sink.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { isInitialised, layoutOf } from '../db/embedded-cluster.ts';
import { counted } from '../lib/counted.ts';
import { keyNameOf } from '../lib/secret-box.ts';
import { keepOwnKey, readOwnKey } from '../setup/secrets.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

/** Backs up a service, running or not. Throws if there is none, or if the target exists. */
export async function writeBackup(
  session: Session,
  { to, key: withKey = true }: { to: string; key?: boolean },
): Promise<Result> {
  const config = loadConfig();
  await requireDatabase(config);
  const { databaseUrl, storage } = await session.server();
  const key = withKey ? await readOwnKey(config) : null;
  const at = new Date();
  const progress = progressLine();
  const sink = await openSink(to, at);
  const result = await backUp({ databaseUrl, storage, key, sink, at, onProgress: progress.show });
  progress.end();
  const lines = [
    ['Backup', path.resolve(to)],
    ['Tables', `${result.tables} with ${counted(result.rows, 'row')}`],
    ['Recordings', `${result.objects.count} of ${megabytes(result.objects.sizeBytes)}`],
    ['Key', keyLine(config, key)],
    ...missingLines(result.missing),
  ];
  return { data: { to: path.resolve(to), ...result, hasKey: key !== null }, text: table(lines) };
}

/**
 * Restores into an empty service. Throws, and leaves it empty, if the backup is damaged, newer, or does not fit the
 * settings.
 */
export async function readBackup(session: Session, { from }: { from: string }): Promise<Result> {
  const config = loadConfig();
  const backup = await openBackup(from);
  const own = await readOwnKey(config);
  const isKept = isKeyToBeKept(backup.header, {
    configured: config.SECRETS_KEY?.length ? config.SECRETS_KEY.map(keyNameOf) : null,
    own: own === null ? null : keyNameOf(own),
  });
  const { databaseUrl, storage, log } = await session.server();
  const progress = progressLine();
  const keepKey = isKept ? (key: string) => keepOwnKey(config, key) : undefined;
  const result = await restore({ backup, databaseUrl, storage, keepKey, log, onProgress: progress.show });
  progress.end();
  const { version, createdAt } = backup.header;
  const lines = [
    ['Backup', `of ${createdAt}, by Earshot ${version}`],
    ['Tables', `${result.tables} with ${counted(result.rows, 'row')}`],
    ['Recordings', `${result.objects.count} of ${megabytes(result.objects.sizeBytes)}`],
    ['Key', isKept ? 'kept in DATA_DIR/secrets.key' : 'as configured'],
    ...missingLines(result.missing),
  ];
  return { data: { version, createdAt, ...result, isKeyKept: isKept }, text: table(lines) };
}

/** Looking into a folder must not create a database there. */
async function requireDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<void> {
  const dataDir = path.resolve(DATA_DIR);
  if (DATABASE_URL !== undefined || (await isInitialised(layoutOf(dataDir)))) return;
  throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to the one that you mean.`);
}

function keyLine({ SECRETS_KEY: keys }: Config, key: string | null): string {
  if (key !== null) return 'included: whoever has the backup can open sealed secrets';
  return keys?.length ? 'not included: keep SECRETS_KEY apart' : 'not included';
}

function missingLines(missing: readonly string[]): string[][] {
  return missing.length === 0
    ? []
    : [
        [
          'Missing',
          `not in the storage: ${counted(missing.length, 'recording')}, such as ${missing.slice(0, 3).join(', ')}`,
        ],
      ];
}

const sayEveryMs = 10_000;

/** A line that is redrawn on a terminal, or printed now and then in a log. */
function progressLine(): { show(progress: Progress): void; end(): void } {
  let saidAt = performance.now();
  let isShown = false;
  return {
    show({ what, done, total, sizeBytes }) {
      const line = `${what}: ${done} of ${total}, ${megabytes(sizeBytes)}`;
      if (process.stderr.isTTY) {
        process.stderr.write(`\r\u001B[K${line}`);
        isShown = true;
      } else if (performance.now() - saidAt > sayEveryMs) {
        process.stderr.write(`${line}\n`);
        saidAt = performance.now();
      }
    },
    end() {
      if (isShown) process.stderr.write('\n');
    },
  };
}

function megabytes(sizeBytes: number): string {
  return sizeBytes < 1e6 ? `${Math.ceil(sizeBytes / 1e3)} kB` : `${Math.round(sizeBytes / 1e6)} MB`;
}
