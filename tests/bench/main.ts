import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Every benchmark, one after the other and each in a process of its own, so that none is measured beside another. */
const benchmarks = [
  'credentials',
  'records',
  'readings',
  'search',
  'calls-list',
  'pipeline',
  'backlog',
  'webhooks',
  'upload',
  'audio',
  'redaction',
  'neighbours',
  'scoring',
];

for (const name of benchmarks) {
  process.stdout.write(`\n${name}\n`);
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
