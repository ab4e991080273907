import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';

/** Routes that are no procedures, because their bodies are not JSON: documented by hand, checked by the same tests. */
export type RawOperation = ZodOpenApiOperationObject & {
  operationId: string;
  isPublic?: true;
  /** By status, as in the `errorResponses` of a procedure. */
  errors: Record<number, string>;
  errorHeaders?: Record<number, oas31.HeadersObject>;
};
