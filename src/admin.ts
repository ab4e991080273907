import { loadQuickly } from './lib/quick-loading.ts';

loadQuickly();

const { runCommandLine } = await import('./admin/command-line.ts');
await runCommandLine({ end: (exitCode) => process.exit(exitCode) });
