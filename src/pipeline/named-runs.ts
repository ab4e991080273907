import { Middleware } from 'inngest';
import { z } from 'zod';

const AboutCall = z.object({ recordId: z.string() });

/**
 * Adds the record id to the output of a run. A server's pages find runs by their output (`output.recordId == "rec_…"`),
 * but not by events that came with their own id, as all of ours do.
 */
export class NamedRuns extends Middleware.BaseMiddleware {
  readonly id = 'earshot-named-runs';

  override async wrapFunctionHandler({ ctx, next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    const output = await next();
    const { data: call } = AboutCall.safeParse(ctx.event.data);
    return call && typeof output === 'object' && output !== null ? { ...output, ...call } : output;
  }
}
