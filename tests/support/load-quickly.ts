import { loadQuickly } from '../../src/lib/quick-loading.ts';

// Imported by every worker before anything else, as the service does itself.
loadQuickly();
