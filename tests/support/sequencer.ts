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
  'pipeline/crm-calls',
  'pipeline/model',
  'pipeline/webhooks',
  'pipeline/mail',
  'providers/audio-decode',
  'security/roles',
  'scoring/robustness',
  'pipeline/engine',
].map((name) => `/tests/${name}.test.ts`);

/** Where no earlier run has left its times, the size of a file says little of how long its tests take. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((name) => moduleId.endsWith(name));
  return index === -1 ? longest.length : index;
}
