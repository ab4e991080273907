import { registerHooks } from 'node:module';
import { loadQuickly } from '../../../src/lib/quick-loading.ts';

/**
 * The pipeline in a process of its own that kills itself where its parent says, between two steps. What the engine
 * stores goes by way of told-transitions.ts; everything else is what the service runs.
 */
loadQuickly();
const told = new URL('told-transitions.ts', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    const isStore = specifier.endsWith('/store-transitions.ts') && context.parentURL !== told;
    return isStore ? { url: told, format: 'module-typescript', shortCircuit: true } : next(specifier, context);
  },
});
await import('./step-pipeline.ts');
