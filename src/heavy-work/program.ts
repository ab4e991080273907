import { keepCompiled, loadQuickly } from '../lib/quick-loading.ts';

/** The program of a process for heavy work. What it does is loaded the quick way, as the service itself is. */
loadQuickly();
const { serveTasks } = await import('./serve-tasks.ts');
serveTasks();
keepCompiled();
