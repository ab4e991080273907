import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/setup.ts'],
    reporters: ['./tests/support/reporter.ts'],
    // Processes, not threads: tests send signals, start servers and change nothing for each other.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    slowTestThreshold: 2_000,
    env: { NODE_ENV: 'test' },
  },
});
