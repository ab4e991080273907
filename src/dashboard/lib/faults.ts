import { TRPCClientError } from '@trpc/client';
import * as z from 'zod/mini';
import { statusOf } from './trpc.ts';

const Faults = z.array(z.object({ path: z.string(), message: z.string() }));

export type Fault = z.infer<typeof Faults>[number];

/** The service's validation errors, each with the path of the field (`settings.retentionDays`). */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof TRPCClientError)) return [];
  return Faults.safeParse(error.data?.details).data ?? [];
}

/** Somebody else has changed it since it was loaded. */
export function isOvertaken(error: unknown): boolean {
  return statusOf(error) === 409 && faultsOf(error).some(({ path }) => path === 'expectedVersion');
}

/** A taken name is an error of the name field. */
export function faultsWithName(error: unknown): Fault[] {
  if (statusOf(error) !== 409 || !(error instanceof Error)) return faultsOf(error);
  return [{ path: 'name', message: error.message }];
}
