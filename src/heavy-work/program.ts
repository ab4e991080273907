import { keepCompiled, loadQuickly } from '../lib/quick-loading.ts';

/** The program of a heavy-work process. Its modules are loaded the quick way, as the service's are. */
loadQuickly();
const { serveTasks } = await import('./serve-tasks.ts');
serveTasks();
keepCompiled();
