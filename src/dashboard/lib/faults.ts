import { TRPCClientError } from '@trpc/client';
import * as z from 'zod/mini';
import { statusOf } from './trpc.ts';

const Faults = z.array(z.object({ path: z.string(), message: z.string() }));

export type Fault = z.infer<typeof Faults>[number];

/** What the service found wrong, each with the place of the field (`settings.retentionDays`). */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof TRPCClientError)) return [];
  return Faults.safeParse(error.data?.details).data ?? [];
}

/** What was changed here has been changed by somebody else since it was read. */
export function isOvertaken(error: unknown): boolean {
  return statusOf(error) === 409 && faultsOf(error).some(({ path }) => path === 'expectedVersion');
}

/** A name that is taken is a fault of the name. */
export function faultsWithName(error: unknown): Fault[] {
  if (statusOf(error) !== 409 || !(error instanceof Error)) return faultsOf(error);
  return [{ path: 'name', message: error.message }];
}
