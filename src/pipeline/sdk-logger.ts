import type { Logger as SdkLogger } from 'inngest';
import type { Logger } from '../lib/logger.ts';

/**
 * Our logger as the SDK wants it. Its errors are our warnings: a step that will be retried is no error yet, and the
 * end of a run is logged by whoever runs it. Without `flush` the SDK would pause for a second after each call.
 */
export function createSdkLogger(log: Logger): SdkLogger & { flush(): void; child(fields: object): SdkLogger } {
  return {
    info: (...args) => log.debug(...toCall(args)),
    warn: (...args) => log.warn(...toCall(args)),
    error: (...args) => log.warn(...toCall(args)),
    debug: (...args) => log.trace(...toCall(args)),
    flush: () => {},
    child: (fields) => createSdkLogger(log.child(fields)),
  };
}

function toCall(args: readonly unknown[]): [object, string] {
  const [first, second] = args;
  if (typeof first === 'object' && first !== null) return [first, typeof second === 'string' ? second : ''];
  return [{}, args.map(String).join(' ')];
}
