import type { AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { proceduresOf, type Procedure } from '../trpc/definitions.ts';
import type { RestMeta } from '../trpc/init.ts';
import { objectShape } from './coerce.ts';

export const restPrefix = '/api/v1';

/** A procedure with an address over REST. */
export type Endpoint = Procedure & { meta: RestMeta };

export function endpointsOf(router: AnyRouter): Endpoint[] {
  return proceduresOf(router).flatMap(({ meta, ...rest }) => (meta?.openapi ? [{ ...rest, meta }] : []));
}

/** Lists return `data` and `meta` themselves; everything else is wrapped. Decided by the schema, not the value. */
export function isEnveloped(output: z.core.$ZodType | undefined): boolean {
  const shape = output ? objectShape(output) : {};
  return 'data' in shape && 'meta' in shape;
}
