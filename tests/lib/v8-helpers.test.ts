import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it.runIf(process.platform === 'linux')("lowers V8's helpers, and nothing else of the process", async () => {
  const program = `
    import { getPriority } from 'node:os';
    import { readdirSync } from 'node:fs';
    import { lowerV8Helpers } from '${new URL('../../src/lib/v8-helpers.ts', import.meta.url).href}';
    const lowered = lowerV8Helpers(7);
    const others = readdirSync('/proc/self/task').map(Number).filter((id) => !lowered.includes(id));
    console.log(JSON.stringify([lowered.map((id) => getPriority(id)), others.map((id) => getPriority(id)), getPriority()]));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const [helpers, others, own] = JSON.parse(stdout) as [number[], number[], number];
  expect(helpers.length, 'Node has another name for its V8 threads').toBeGreaterThan(0);
  expect(new Set(helpers)).toEqual(new Set([7]));
  expect(new Set(others)).toEqual(new Set([own]));
});
