import { loadQuickly } from '../quick-loading.ts';

/** The program of a thread. What it does is loaded the quick way, as the service itself is. */
loadQuickly();
const { serveTasks } = await import('./serve-tasks.ts');
serveTasks();
