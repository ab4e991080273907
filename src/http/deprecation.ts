import type { oas31 } from 'zod-openapi';
import type { ProcedureMeta } from '../trpc/init.ts';

type Deprecation = NonNullable<ProcedureMeta['deprecation']>;

/** The `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of an operation. Throws for invalid dates. */
export function deprecationHeaders({ since, sunset }: Deprecation): { Deprecation: string; Sunset: string } {
  return { Deprecation: `@${dateOf(since).getTime() / 1000}`, Sunset: dateOf(sunset).toUTCString() };
}

/** Documents what the headers say. */
export function markDeprecated(
  operation: { deprecated?: boolean; description?: string; responses?: oas31.ResponsesObject },
  deprecation: Deprecation,
): void {
  const { Deprecation, Sunset } = deprecationHeaders(deprecation);
  const header = (description: string, example: string): oas31.HeaderObject => ({
    description,
    schema: { type: 'string' },
    example,
  });
  operation.deprecated = true;
  operation.description = `${operation.description ?? ''}\n\nDeprecated. It works until ${deprecation.sunset}.`.trim();
  for (const response of Object.values(operation.responses ?? {}) as oas31.ResponseObject[]) {
    if ('$ref' in response) continue;
    response.headers = {
      ...response.headers,
      Deprecation: header('Since when it is deprecated, in seconds since 1970.', Deprecation),
      Sunset: header('When it stops to work.', Sunset),
    };
  }
}

function dateOf(day: string): Date {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) throw new Error(`${day} is no date.`);
  return date;
}
