import type { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { appRouter } from '../../api/router.ts';
import { objectShape } from '../coerce.ts';
import { endpointsOf, isEnveloped } from '../endpoints.ts';
import { guardsOf, tellersOf } from '../preconditions.ts';
import type { OperationExamples } from '../../trpc/examples.ts';
import type { ProcedureMeta } from '../../trpc/init.ts';
import { takesNothing } from './bodies.ts';
import { rawOperations } from './raw.ts';

/** What the finished operation is made of, besides what the generator could know. */
export type Facts = {
  isPublic: boolean;
  /** About the person: no organization has to be selected. */
  isPersonal?: boolean;
  hasPathId: boolean;
  /** Takes an `Idempotency-Key`. */
  isRepeatable: boolean;
  /** Changes what can be read alone: takes `If-Match`. */
  takesIfMatch: boolean;
  /** Answers with the `ETag` of what it has changed or made. */
  isTagged: boolean;
  /** GET and HEAD have no body that anybody would look at. */
  hasBodyRead: boolean;
  /** Absent for routes that are no procedures: their bodies are documented as they are. */
  procedure?: { isListing: boolean; fields: Record<string, z.core.$ZodType> };
  /** A POST without a body is one with `{}`, which this operation takes. */
  needsNoBody?: boolean;
  examples: OperationExamples;
  errors: Record<number, string>;
  deprecation?: ProcedureMeta['deprecation'];
  errorHeaders?: Record<number, oas31.HeadersObject>;
};

export type KnownFacts = Omit<Facts, 'hasPathId' | 'isRepeatable' | 'hasBodyRead'>;

export function factsByOperation(): Map<string, KnownFacts> {
  const facts = new Map<string, KnownFacts>();
  const endpoints = endpointsOf(appRouter);
  const guards = guardsOf(endpoints);
  const tellers = tellersOf(endpoints);
  for (const { path, inputs, output, meta } of endpoints) {
    const { operationId, errorResponses } = meta.openapi;
    if (!operationId) throw new Error(`${meta.openapi.path} has no operationId.`);
    const [input] = inputs;
    facts.set(operationId, {
      isPublic: false,
      takesIfMatch: guards.has(path),
      isTagged: tellers.has(path),
      isPersonal: meta.isPersonal ?? false,
      needsNoBody: meta.openapi.method === 'POST' && takesNothing(inputs, meta.openapi.path),
      examples: meta.examples,
      deprecation: meta.deprecation,
      errors: Array.isArray(errorResponses) ? {} : (errorResponses ?? {}),
      procedure: {
        isListing: isEnveloped(output),
        fields: input ? objectShape(input) : {},
      },
    });
  }
  for (const { operationId, isPublic = false, examples, errors, errorHeaders = {} } of rawOperations) {
    const own = { takesIfMatch: false, isTagged: false };
    facts.set(operationId, { isPublic, ...own, examples, errors, errorHeaders });
  }
  return facts;
}

export function factsOf(facts: Map<string, KnownFacts>, operationId: string): KnownFacts {
  const known = facts.get(operationId);
  if (!known) throw new Error(`${operationId} is not known.`);
  return known;
}
