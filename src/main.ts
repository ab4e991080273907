import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Before anything else is imported: from the second start on, the code comes as it was compiled.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

try {
  const { startService } = await import('./start.ts');
  startService({ end: (exitCode) => process.exit(exitCode) });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
