import { DefaultReporter } from 'vitest/node';
import type { TestModule } from 'vitest/node';

type Summary = Parameters<DefaultReporter['reportTestSummary']>;
type RunEnd = Parameters<DefaultReporter['onTestRunEnd']>;

/** Vitest's own report, with the plain line `N passed, N failed` just above its summary. */
export default class CountReporter extends DefaultReporter {
  #modules: readonly TestModule[] = [];

  override onTestRunEnd(...[modules, errors, reason]: RunEnd): void {
    this.#modules = modules;
    super.onTestRunEnd(modules, errors, reason);
  }

  override reportTestSummary(...[files, errors, leakCount]: Summary): void {
    const counts = countTests(this.#modules);
    this.log();
    this.log(`${counts.passed} passed, ${counts.failed + errors.length} failed`);
    super.reportTestSummary(files, errors, leakCount);
  }
}

function countTests(modules: readonly TestModule[]): { passed: number; failed: number } {
  let passed = 0;
  let failed = 0;
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'failed') failedHere += 1;
    }
    // A file that cannot be loaded, or whose hook throws, fails without a failed test.
    failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
  }
  return { passed, failed };
}
