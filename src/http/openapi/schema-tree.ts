import type { oas31 } from 'zod-openapi';

export type Schema = Record<string, unknown>;

/** As the generator ends the names of what is answered otherwise than it is sent. */
export const outputSuffix = 'Output';

/** Calls `visit` for the schema and every schema inside it. */
export function walk(schema: unknown, visit: (schema: Schema) => void): void {
  if (!isSchema(schema)) return;
  visit(schema);
  for (const key of ['items', 'additionalProperties', 'contentSchema', 'propertyNames']) walk(schema[key], visit);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const part of asList(schema[key])) walk(part, visit);
  }
  for (const part of Object.values(isSchema(schema['properties']) ? schema['properties'] : {})) walk(part, visit);
}

export function requestContents(document: oas31.OpenAPIObject): oas31.ContentObject[] {
  return operations(document).flatMap(({ requestBody }) =>
    requestBody && 'content' in requestBody ? [requestBody.content] : [],
  );
}

export function requestSchemas(document: oas31.OpenAPIObject): unknown[] {
  return requestContents(document).flatMap((content) => Object.values(content).map(({ schema }) => schema));
}

export function responseSchemas(document: oas31.OpenAPIObject): unknown[] {
  return answersOf(document).map(({ media }) => media.schema);
}

export function parameterSchemas(document: oas31.OpenAPIObject): unknown[] {
  return operations(document).flatMap(({ parameters = [] }) =>
    parameters.map((parameter) => ('schema' in parameter ? parameter.schema : undefined)),
  );
}

function operations({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] {
  return Object.values(paths).flatMap(
    (item) => Object.values(item as oas31.PathItemObject).filter(isSchema) as oas31.OperationObject[],
  );
}

export function refName({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

type Answered = {
  operationId: string;
  status: string;
  response: oas31.ResponseObject;
  media: oas31.MediaTypeObject;
};

/** What operations answer with themselves; refusals are shared. */
export function answersOf(document: oas31.OpenAPIObject): Answered[] {
  return operations(document).flatMap(({ operationId = '', responses = {} }) =>
    Object.entries(responses as Record<string, oas31.ResponseObject>).flatMap(([status, response]) =>
      Object.values(response.content ?? {}).map((media) => ({ operationId, status, response, media })),
    ),
  );
}
