import { compareVersions, version as ownVersion } from '../../lib/version.ts';
import { formerEditions } from './former-editions.ts';
import type { Applied, History, PastRelease } from './history.ts';
import type { Migration } from './journal.ts';
import { listed, SchemaError } from './schema-error.ts';

/** One step, after which the migration `tag` counts as applied. */
export type Step = Pick<Migration, 'tag' | 'when' | 'hash' | 'statements'>;

export type Plan = {
  /** In the order of the journal. */
  steps: Step[];
  /** The steps that later migrations were applied before. */
  late: string[];
  /** A newer release has changed the database, and allows this one to run beside it. */
  isAhead: boolean;
};

type PlanInput = { journal: readonly Migration[]; history: History; version?: string };

/**
 * Plans an upgrade by the hashes of applied migrations, not by their dates: the journal's dates once went backwards, so
 * databases have gaps. Throws SchemaError if the database holds an unknown migration.
 */
export function planUpgrade({ journal, history, version = ownVersion }: PlanInput): Plan {
  const known = new Set(journal.map(({ hash }) => hash));
  const former = new Map(formerEditions.map((edition) => [edition.hash, edition]));
  const unknown = history.applied.filter(({ hash }) => !known.has(hash) && !former.has(hash));
  if (unknown.length > 0) return goOnBeside({ unknown, releases: history.releases, version });
  const applied = new Set(history.applied.map(({ hash }) => hash));
  const remedies = new Map(
    formerEditions.flatMap(({ hash, tag, remedy }) => (applied.has(hash) ? [[tag, remedy]] : [])),
  );
  const lastApplied = journal.findLastIndex(({ hash, tag }) => applied.has(hash) || remedies.has(tag));
  const steps = journal.filter(({ hash }) => !applied.has(hash));
  return {
    steps: steps.map((migration) => ({
      ...migration,
      statements: [...(remedies.get(migration.tag) ?? migration.statements)],
    })),
    late: steps.filter((migration) => journal.indexOf(migration) < lastApplied).map(({ tag }) => tag),
    isAhead: false,
  };
}

type Unknown = { unknown: Applied[]; releases: PastRelease[]; version: string };

function goOnBeside({ unknown, releases, version }: Unknown): Plan {
  const newer = releases
    .filter((release) => compareVersions(release.version, version) > 0)
    .sort((a, b) => compareVersions(b.version, a.version));
  const [newest] = newer;
  if (!newest) {
    const which = unknown.map(({ hash, createdAt }) => `${hash.slice(0, 12)} of ${new Date(createdAt).toISOString()}`);
    throw new SchemaError(
      `The database has migrations that Earshot ${version} does not know: ${listed(which)}. ` +
        'They come from newer code, or were edited since. Start the release that applied them, or restore a backup.',
    );
  }
  const tooOld = newer.find(({ worksBeside }) => compareVersions(worksBeside, version) > 0);
  if (!tooOld) return { steps: [], late: [], isAhead: true };
  throw new SchemaError(
    `Earshot ${newest.version} has changed the database, and works beside ${tooOld.worksBeside} and newer; this is ${version}. ` +
      `Start ${newest.version}, or restore an earlier backup.`,
  );
}
