import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whose tests take longest, longest first. They begin first, so that both workers end at about the same time. */
const longest = [
  'pipeline/chaos.long',
  'demo/demo.long',
  'pipeline/kill.long',
  'providers/speech-recognition.long',
  'pipeline/faults.long',
  'readme/sessions.long',
  'pipeline/steps-kill.long',
  'db/embedded-postgres',
  'service/process',
  'admin/admin',
  'pipeline/engine',
  'providers/audio-decode',
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
