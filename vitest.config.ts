import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './tests/support/sequencer.ts';

/**
 * Files that load the same service: a worker loads it once for all of them. Its modules keep nothing that another file
 * could notice; what does (metrics), counts memory or time, ends processes, or replaces clocks has a worker of its own.
 */
const together = [
  'tests/{api,security}/!(limits-window|metrics|profiles-rich|signing-keys|tracing|upload).test.ts',
  'tests/pipeline/!(*faults|*kill|crm-calls|engine|mail|parity|speech-local|tracing).test.ts',
];

/**
 * Pure code, whose rules, models and word lists a worker loads once for all files. What counts time has a worker of its
 * own.
 */
const pure = [
  'tests/scoring/!(model-texts|model-windows|normalisation|own-profiles|robustness|roles).test.ts',
  'tests/{domain,redaction}/!(speed|supplied-transcript).test.ts',
  'tests/evaluation/*.test.ts',
];

/** Small files, few of which load the service. What counts time or memory, or ends processes, has a worker of its own. */
const small = [
  'tests/{lib,trpc,demo,deploy,backup}/!(child|nearest-name|work-folder|*.long).test.ts',
  'tests/providers/{analysis,bitrix24,mail,model-download,speech-*,object-storage,object-storage-{breaker,local,s3}}.test.ts',
  'tests/db/!(embedded-*|scope|upgrade-under-way|*.long).test.ts',
  'tests/scoring/{roles-trust,model-texts}.test.ts',
  'tests/pipeline/engine-units.test.ts',
];

/** What counts time or memory: it has a worker of its own, and no more neighbours than there are processors. */
const measured = [
  'tests/api/{limits-window,profiles-rich,upload}.test.ts',
  'tests/scoring/{model-windows,normalisation,own-profiles,robustness,roles}.test.ts',
  'tests/{domain,redaction}/{speed,supplied-transcript}.test.ts',
  'tests/providers/{audio-decode,sniff}.test.ts',
  'tests/heavy-work/*.test.ts',
  'tests/db/scope.test.ts',
  'tests/lib/nearest-name.test.ts',
];

/** Files that mostly wait: for processes to start and to end, and for what is heard or tried again. */
const waiting = ['tests/pipeline/*kill.test.ts', 'tests/admin/admin.test.ts', 'tests/readme/*.test.ts'];

/** Files that open pages: the service, which each of them starts anew, is loaded once a worker here, too. */
const pages = 'tests/e2e/**/*.test.ts';

/** What is long by itself: kill loops, soaks, journeys. `npm run test:all` runs it, `npm test` does not. */
const long = 'tests/**/*.long.test.ts';

/** What builds clients with programs and packages of other languages. `npm run test:clients` runs it, and `test:all`. */
const clients = 'tests/clients/clients.long.test.ts';

const shared = {
  setupFiles: ['tests/support/setup.ts'],
  // Processes, not threads: tests send signals, start servers and change nothing for each other.
  pool: 'forks' as const,
  execArgv: ['--import', fileURLToPath(new URL('tests/support/load-quickly.ts', import.meta.url))],
  experimental: { viteModuleRunner: false as const, nodeLoader: false as const },
  // They only matter to what fails, and a machine that does other things as well takes its time.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  slowTestThreshold: 2_000,
  expect: { poll: { timeout: 45_000 } },
  env: {
    NODE_ENV: 'test',
    // Programs that tests start load what they load quicker, as the service does by itself.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
  },
};

// Two of them leave a processor idle: they wait for the database, for processes, and for what is tried again. Those that
// measure, open pages or only compute have a processor each.
const first = { maxWorkers: 3, sequence: { groupOrder: 0 } };
const second = { maxWorkers: 2, sequence: { groupOrder: 1 } };

const browsing = {
  globalSetup: ['tests/support/browser-setup.ts'],
  isolate: false,
  testTimeout: 240_000,
};

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['./tests/support/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    projects: [
      { test: { ...shared, ...first, name: 'waiting', include: waiting, exclude: [long] } },
      { test: { ...shared, ...first, name: 'together', include: together, exclude: [long], isolate: false } },
      {
        test: {
          ...shared,
          ...first,
          name: 'apart',
          include: ['tests/**/*.test.ts'],
          exclude: [...together, ...small, ...pure, ...waiting, ...measured, pages, long],
        },
      },
      { test: { ...shared, ...first, name: 'small', include: small, exclude: [long], isolate: false } },
      { test: { ...shared, ...second, name: 'measured', include: measured, exclude: [long] } },
      { test: { ...shared, ...second, ...browsing, name: 'pages', include: [pages], exclude: [long] } },
      { test: { ...shared, ...second, name: 'pure', include: pure, exclude: [long], isolate: false } },
      {
        test: {
          ...shared,
          name: 'long',
          include: [long],
          exclude: [pages, clients],
          testTimeout: 600_000,
          hookTimeout: 240_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'long-clients',
          include: [clients],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...shared,
          ...browsing,
          name: 'long-pages',
          include: ['tests/e2e/**/*.long.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
