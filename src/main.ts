import { loadQuickly } from './lib/quick-loading.ts';

loadQuickly();

try {
  const { startService } = await import('./start.ts');
  startService({ end: (exitCode) => process.exit(exitCode) });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
