import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import { isInitialised, layoutOf } from '../db/embedded-cluster.ts';
import type { Logger } from '../lib/logger.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import { examineClock, examineDatabase } from './database.ts';
import { messageOf } from '../lib/errors.ts';
import { type Finding, of } from './finding.ts';
import { examineKeys } from './keys.ts';
import { examinePrograms, examineSettings } from './settings.ts';
import { examineFolder, examineStorage } from './storage.ts';

export type Patient = {
  config: Config;
  storage: ObjectStorage;
  /** Starts or joins the server. Not called if there is no database yet. */
  openServer(): Promise<{ databaseUrl: string }>;
};

/** Checks everything that the service relies on, and changes nothing. */
export async function examine({ config, storage, openServer }: Patient): Promise<Finding[]> {
  const folder = await examineFolder(config);
  const programs = await examinePrograms(config);
  const { findings, sql } = await connectTo({ config, openServer });
  try {
    const database = sql ? await examineDatabase(sql).catch((error: unknown) => [unreachable(error)]) : findings;
    const isReadable = sql !== null && database.every(({ state, check }) => state !== 'error' || check !== 'database');
    // A database that was never migrated holds no records and no secrets.
    const filled = isReadable && (await isFilled(sql)) ? sql : null;
    return [
      ...database,
      ...(await examineStorage({ config, storage }, filled)),
      programs,
      ...folder,
      await examineKeys(config, filled),
      ...examineSettings(),
    ];
  } finally {
    await sql?.end({ timeout: 5 });
  }
}

type Connected = { findings: Finding[]; sql: Sql | null };

async function connectTo({ config, openServer }: Pick<Patient, 'config' | 'openServer'>): Promise<Connected> {
  const dataDir = path.resolve(config.DATA_DIR);
  try {
    if (config.DATABASE_URL === undefined && !(await isInitialised(layoutOf(dataDir)))) {
      return {
        findings: [of('database')('ok', `there is none in ${dataDir} yet: the first start makes it`)],
        sql: null,
      };
    }
    const { databaseUrl } = await openServer();
    const connection = { application_name: 'earshot-doctor' };
    return {
      findings: [],
      sql: postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => {}, connection }),
    };
  } catch (error) {
    return { findings: [unreachable(error)], sql: null };
  }
}

function unreachable(error: unknown): Finding {
  return of('database')(
    'error',
    `The database cannot be used: ${messageOf(error)}. Start it, or correct DATABASE_URL.`,
  );
}

async function isFilled(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ filled: boolean }[]>`select to_regclass('public.records') is not null as filled`;
  return row?.filled ?? false;
}

/** Logs the problems that a start can continue with. Others stop it, through the same checks. */
export async function reportTrouble({
  config,
  system,
  log,
}: {
  config: Config;
  system: Sql;
  log: Logger;
}): Promise<void> {
  const findings = await Promise.all([examinePrograms(config), examineClock(system)]);
  for (const { check, state, message } of [...examineSettings(), ...findings]) {
    if (state === 'error') log.error({ check }, message);
    if (state === 'warning') log.warn({ check }, message);
  }
}
