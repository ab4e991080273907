import { Middleware } from 'inngest';
import { poison } from './base/faults.ts';

/** Far more than ids take, and less than any engine accepts. */
const sizeMax = 256 * 1024;

/**
 * Rejects results that engines treat differently: NUL, which servers can store and Postgres cannot, and sizes that only
 * some accept. Large data is passed by reference.
 */
export class SmallResults extends Middleware.BaseMiddleware {
  readonly id = 'earshot-small-results';

  override async wrapStepHandler({ next, stepInfo }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return checked(`The step "${stepInfo.options.id}"`, await next());
  }

  override async wrapFunctionHandler({ next, fn }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return checked(`The function "${fn.id()}"`, await next());
  }
}

function checked(whose: string, result: unknown): unknown {
  const text = JSON.stringify(result) ?? '';
  if (text.length > sizeMax) throw poison('RESULT_TOO_LARGE', `${whose} gave a result that is too large to be kept.`);
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw poison('RESULT_WITH_NUL', `${whose} gave a result that holds NUL.`);
  return result;
}
