import type { oas31 } from 'zod-openapi';
import { z } from 'zod';
import { pascal } from './name-parts.ts';

type Body = oas31.RequestBodyObject | oas31.ReferenceObject | undefined;

/** Whether a request may come without a body, which is one with `{}`. */
export function takesNothing(inputs: z.core.$ZodType[], path: string): boolean {
  const named = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']));
  return inputs.every((input) => z.safeParse(input, named).success);
}

export function isForm(body: Body): boolean {
  return body !== undefined && 'content' in body && 'multipart/form-data' in body.content;
}

/** Bodies get names, so that generated clients have types for them. */
export function nameRequestBody(
  { operationId, requestBody }: { operationId: string; requestBody?: Body },
  schemas: Record<string, object>,
  { needsNoBody = false }: { needsNoBody?: boolean },
): void {
  if (!requestBody || !('content' in requestBody)) return;
  if (needsNoBody) requestBody.required = false;
  const name = `${pascal(operationId)}Request`;
  for (const media of Object.values(requestBody.content)) {
    if (!media.schema || '$ref' in media.schema) continue;
    schemas[name] = media.schema;
    media.schema = { $ref: `#/components/schemas/${name}` };
  }
}
