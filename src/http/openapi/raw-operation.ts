import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';
import type { OperationExamples } from '../../trpc/examples.ts';

/** Routes that are no procedures, because their bodies are not JSON: documented by hand, checked by the same tests. */
export type RawOperation = ZodOpenApiOperationObject & {
  operationId: string;
  isPublic?: true;
  examples: OperationExamples;
  /** By status, as in the `errorResponses` of a procedure. */
  errors: Record<number, string>;
  errorHeaders?: Record<number, oas31.HeadersObject>;
};
