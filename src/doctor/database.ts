import type { Sql } from 'postgres';
import {
  compareCatalogues,
  isHarmless,
  readCatalogue,
  readExpectedCatalogue,
  subjectOf,
} from '../db/migrations/catalogue.ts';
import { readHistory } from '../db/migrations/history.ts';
import { digestOfJournal, readJournal } from '../db/migrations/journal.ts';
import { planUpgrade, type Plan } from '../db/migrations/plan.ts';
import { howToMake, readRoles, userOf } from '../db/migrations/roles.ts';
import { counted } from '../lib/counted.ts';
import { messageOf } from '../lib/errors.ts';
import { type Finding, of } from './finding.ts';

const versionMin = 15;

/** Looks at the database without changing it. */
export async function examineDatabase(sql: Sql): Promise<Finding[]> {
  const server = await examineServer(sql);
  const clock = await examineClock(sql);
  const { plan, finding } = await examineMigrations(sql);
  const roles = await examineRoles(sql);
  const isUpToDate = plan !== null && plan.steps.length === 0 && !plan.isAhead;
  return [server, clock, finding, ...roles, ...(isUpToDate ? await examineSchema(sql) : [])];
}

async function examineServer(sql: Sql): Promise<Finding> {
  const say = of('database');
  const [row] = await sql<{ version: string; number: number; isReadOnly: boolean }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly"`;
  if (!row) return say('error', 'The database does not answer.');
  const version = row.version.split(' ')[0] ?? '';
  if (row.number < versionMin * 10_000)
    return say('error', `This is PostgreSQL ${version}: version ${versionMin} or newer is needed.`);
  if (row.isReadOnly) return say('error', 'The database is read-only or a standby. Set DATABASE_URL to the primary.');
  return say('ok', `PostgreSQL ${version} answers`);
}

const skewMsMax = { ok: 2_000, warning: 30_000 };

/** Tokens are checked against this machine's clock, schedules and periods against the database's. */
export async function examineClock(sql: Sql): Promise<Finding> {
  const say = of('clock');
  const sentAt = Date.now();
  const [row] = await sql<{ now: string }[]>`select extract(epoch from clock_timestamp()) * 1000 as now`;
  const skewMs = (sentAt + Date.now()) / 2 - Number(row?.now);
  const seconds = Math.abs(Math.round(skewMs / 100) / 10);
  if (Math.abs(skewMs) <= skewMsMax.ok) return say('ok', `this machine and the database differ by ${seconds} s`);
  const state = Math.abs(skewMs) <= skewMsMax.warning ? 'warning' : 'error';
  const which = skewMs > 0 ? 'ahead of' : 'behind';
  return say(
    state,
    `The clock of this machine is ${seconds} s ${which} that of the database: synchronize both with NTP.`,
  );
}

async function examineMigrations(sql: Sql): Promise<{ plan: Plan | null; finding: Finding }> {
  const say = of('migrations');
  try {
    const [journal, history] = await Promise.all([readJournal(), readHistory(sql)]);
    const plan = planUpgrade({ journal, history });
    if (history.applied.length === 0)
      return { plan, finding: say('ok', 'the database is empty: the first start fills it') };
    if (plan.isAhead)
      return {
        plan,
        finding: say('warning', 'A newer release has changed the database; this one works beside it. Start that one.'),
      };
    const tags = plan.steps.map(({ tag }) => tag);
    if (tags.length === 0) return { plan, finding: say('ok', `all ${journal.length} are applied`) };
    return { plan, finding: say('warning', `The next start applies ${tags.join(', ')}: make a backup first.`) };
  } catch (error) {
    return { plan: null, finding: say('error', messageOf(error)) };
  }
}

async function examineRoles(sql: Sql): Promise<Finding[]> {
  const say = of('roles');
  const states = await readRoles(sql);
  const lacking = states.filter(({ isThere, isOurs }) => !isThere || !isOurs);
  const free = states.filter(({ isThere, isBound }) => isThere && !isBound).map(({ role }) => role);
  const findings: Finding[] = [];
  if (lacking.length > 0) {
    const what = lacking.map(({ role, isThere }) => `${role} ${isThere ? 'may not be used' : 'is missing'}`).join(', ');
    findings.push(say('error', `${what}. ${howToMake(lacking, await userOf(sql))}`));
  }
  if (free.length > 0) {
    findings.push(
      say(
        'error',
        `Policies do not hold for ${free.join(', ')}: run ${free.map((role) => `alter role ${role} nosuperuser nobypassrls;`).join(' ')}`,
      ),
    );
  }
  return findings.length > 0 ? findings : [say('ok', states.map(({ role }) => role).join(', '))];
}

/** Parts of the schema, each with the kinds of objects that belong to it and what several of them are called. */
const parts = {
  tables: { table: 'tables', column: 'columns', constraint: 'constraints' },
  policies: { policy: 'policies' },
  grants: { grant: 'grants' },
  functions: { function: 'functions', trigger: 'triggers' },
  indexes: { index: 'indexes' },
};

async function examineSchema(sql: Sql): Promise<Finding[]> {
  const [expected, actual, journal] = await Promise.all([readExpectedCatalogue(), readCatalogue(sql), readJournal()]);
  if (expected.digest !== digestOfJournal(journal)) {
    return [
      of('tables')('warning', 'There is no catalogue of these migrations to compare with: run npm run db:catalogue.'),
    ];
  }
  const { missing, extra } = compareCatalogues(expected.lines, actual);
  return Object.entries(parts).map(([part, kinds]) => {
    const say = of(part);
    const own = (line: string) => Object.keys(kinds).some((kind) => line.startsWith(`${kind} `));
    const lost = missing.filter(own);
    const names = lost.map(subjectOf);
    if (lost.length > 0 && lost.every(isHarmless))
      return say('warning', `Missing, which makes some requests slow: ${names.join(', ')}`);
    if (lost.length > 0)
      return say('error', `Missing, or otherwise than the migrations make it: ${names.join('; ')}. ${howToMend}`);
    const foreign = extra.filter((line) => own(line) && opensWalls(line)).map(subjectOf);
    if (foreign.length > 0)
      return say('warning', `Not made by a migration, and perhaps too much: ${foreign.join('; ')}`);
    return say('ok', `${countsOf(expected.lines, kinds)}: all as the migrations make them`);
  });
}

/** "47 tables, 400 columns, 198 constraints". */
function countsOf(lines: ReadonlySet<string>, kinds: Record<string, string>): string {
  return Object.entries(kinds)
    .map(([kind, many]) => counted([...lines].filter((line) => line.startsWith(`${kind} `)).length, kind, many))
    .join(', ');
}

const howToMend =
  'Undo the change, or restore a backup; a dump of pg_dump needs all roles on its server before it is read.';

function opensWalls(line: string): boolean {
  return line.startsWith('policy ') || line.startsWith('grant ');
}
