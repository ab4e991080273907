import { Middleware } from 'inngest';
import { z } from 'zod';

const AboutCall = z.object({ recordId: z.string() });

/**
 * Adds the call to what a run ends with. The pages of a server find runs by their output (`output.recordId == "rec_…"`);
 * by their events they find none whose event came with an id of its own, as all of ours do.
 */
export class NamedRuns extends Middleware.BaseMiddleware {
  readonly id = 'earshot-named-runs';

  override async wrapFunctionHandler({ ctx, next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    const output = await next();
    const { data: call } = AboutCall.safeParse(ctx.event.data);
    return call && typeof output === 'object' && output !== null ? { ...output, ...call } : output;
  }
}
