import type { Logger as SdkLogger } from 'inngest';
import type { Logger } from '../lib/logger.ts';
import { originOf } from './base/faults.ts';

/**
 * Adapts our logger to the SDK. Its errors become warnings: a step that will be retried is no error yet, and the end of
 * a run is logged elsewhere. An error that stands for another is logged as the original. Without `flush`, the SDK would
 * pause for a second after each call.
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
  const text = typeof second === 'string' ? second : '';
  if (first instanceof Error) return [{ err: originOf(first) }, text];
  if (typeof first === 'object' && first !== null) return [withOrigins(first), text];
  const error = args.find((arg) => arg instanceof Error);
  const words = args.filter((arg) => !(arg instanceof Error)).map(String);
  return [error ? { err: originOf(error) } : {}, words.join(' ')];
}

/** Only an error under `err` is described instead of dumped. */
function withOrigins(fields: object): object {
  const found = Object.values(fields).find((value) => value instanceof Error);
  const others = Object.entries(fields).filter(([, value]) => !(value instanceof Error));
  return found ? { ...Object.fromEntries(others), err: originOf(found) } : fields;
}
