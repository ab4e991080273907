import { describe, expect, expectTypeOf, it } from 'vitest';
import { appRouter } from '../../src/api/router.ts';
import { endpointsOf } from '../../src/http/endpoints.ts';
import type { OperationExamples } from '../../src/trpc/examples.ts';
import type { ProcedureMeta } from '../../src/trpc/init.ts';

type Address = { method: 'GET'; path: '/things'; operationId: 'listThings' };

describe('an operation with an address over REST', () => {
  it('does not compile without examples, and one of tRPC alone needs none', () => {
    expectTypeOf<{ openapi: Address }>().not.toExtend<ProcedureMeta>();
    expectTypeOf<{ openapi: Address; examples: undefined }>().not.toExtend<ProcedureMeta>();
    expectTypeOf<{ openapi: Address; examples: OperationExamples }>().toExtend<ProcedureMeta>();
    expectTypeOf<{ permission: 'search' }>().toExtend<ProcedureMeta>();
  });

  it('shows an answer of the status that it succeeds with', () => {
    const endpoints = endpointsOf(appRouter);
    const silent = endpoints.filter(({ meta }) => !((meta.successStatus ?? 200) in meta.examples.responses));
    expect(silent.map(({ path }) => path)).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(60);
  });
});
