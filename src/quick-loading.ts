import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** To be called before anything else is imported: it takes more than a third off the time that loading the service takes. */
export function loadQuickly(): void {
  // From the second start on, the code comes as it was compiled.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  // For every file of a package Node parses the package's exports anew, which are 180 KB here.
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL } = context;
      if (!parentURL?.includes('/node_modules/drizzle-orm/') || !/^\.\.?\/.*\.js$/.test(specifier)) {
        return nextResolve(specifier, context);
      }
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    },
  });
}
