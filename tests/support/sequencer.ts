import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whose tests take longest, longest first. They begin first, so that all workers end at about the same time. */
const longest = [
  'scoring/roles-held-out.long',
  'demo/demo.long',
  'pipeline/chaos.long',
  'pipeline/quarantine.long',
  'db/upgrades.long',
  'pipeline/kill.long',
  'providers/speech-recognition.long',
  'pipeline/steps-kill.long',
  'backup/commands.long',
  'service/idempotency-kill.long',
  'pipeline/faults.long',
  'api/docs.long',
  'e2e/call.long',
  'admin/admin',
  'readme/quality-gate.long',
  'pipeline/engine',
  'pipeline/crm-calls',
  'pipeline/mail',
  'pipeline/model',
  'pipeline/webhooks',
  'security/roles',
  'pipeline/functions',
  'security/tenancy',
  'pipeline/project-deletion',
  'pipeline/publication',
  'pipeline/records',
  'api/fuzz',
  'pipeline/alerts',
  'pipeline/outbox',
  'api/idempotency-crashes',
  'security/session-tokens',
  'api/limits-redis',
  'api/search-deadline',
  'pipeline/runs-of-a-call',
  'security/engine-state',
  'db/migrations',
  'providers/object-storage-s3',
  'api/upload',
  'providers/audio-decode',
  'scoring/robustness',
  'heavy-work/pool',
].map((name) => `/tests/${name}.test.ts`);

/**
 * A worker keeps what it has loaded while the next file is of its project. Those that mostly wait begin, and small files
 * fill up the end.
 */
const projects = ['waiting', 'apart', 'together', 'small', 'measured', 'pages', 'pure'];

/** Where no earlier run has left its times, the size of a file says little of how long its tests take. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const keys = new Map(sorted.map((file) => [file, [groupOf(file), projectOf(file), rankOf(file)]]));
    return sorted.toSorted((a, b) => compare(keys.get(a) ?? [], keys.get(b) ?? []));
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((part, at) => part !== b[at]);
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function projectOf({ project }: TestSpecification): number {
  const index = projects.indexOf(project.name);
  return index === -1 ? projects.length : index;
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((name) => moduleId.endsWith(name));
  return index === -1 ? longest.length : index;
}
