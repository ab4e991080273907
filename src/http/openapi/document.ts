import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import type { oas31 } from 'zod-openapi';
import { z } from 'zod';
import { appRouter } from '../../api/router.ts';
import {
  cached,
  errorResponsesOf,
  errorSchemas,
  everyResponse,
  headerRef,
  replayed,
  sharedHeaders,
  sharedResponses,
} from './errors.ts';
import { isForm, nameRequestBody } from './bodies.ts';
import { writeObjectsAsText } from './forms.ts';
import { addLinks } from './links.ts';
import { nameParts } from './name-parts.ts';
import { nameSchemas } from './names.ts';
import {
  about,
  entities,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  optionalOrg,
  selectedOrg,
  securitySchemes,
  tags,
} from './prose.ts';
import { rawPaths } from './raw.ts';
import { tidySchemas } from './tidy.ts';
import type { OperationExamples } from '../../trpc/examples.ts';
import { markDeprecated } from '../deprecation.ts';
import { restPrefix } from '../endpoints.ts';
import { factsByOperation, factsOf, type Facts, type KnownFacts } from './facts.ts';

type Operation = oas31.OperationObject & { operationId: string; responses: oas31.ResponsesObject };

/**
 * The OpenAPI 3.1 document of the REST surface: what trpc-to-openapi makes of the router, and the native routes,
 * finished to what the service really answers (status, envelope, errors, headers, examples).
 */
export function buildOpenApiDocument({
  version,
  serverUrl = restPrefix,
}: {
  version: string;
  serverUrl?: string;
}): oas31.OpenAPIObject {
  const document = generate(version);
  const { schemas = {} } = document.components ?? {};
  const facts = factsByOperation();
  const paths = finishPaths(document.paths ?? {}, { facts, schemas });
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name];
  const finished: oas31.OpenAPIObject = {
    ...document,
    info: { ...document.info, ...about },
    servers: [{ url: serverUrl, description: 'This server' }],
    security: [{ bearerAuth: [] }, { cookieAuth: [] }],
    tags,
    paths,
    components: {
      schemas: { ...structuredClone(errorSchemas), ...schemas },
      responses: sharedResponses,
      parameters: {
        SelectedOrg: selectedOrg,
        OptionalOrg: optionalOrg,
        IdempotencyKey: idempotencyKey,
        IfMatch: ifMatch,
        IfNoneMatch: ifNoneMatch,
      },
      headers: sharedHeaders,
      securitySchemes,
    },
  };
  nameParts(finished);
  writeObjectsAsText(finished);
  const tidied = tidySchemas(finished);
  addExamples(tidied, facts);
  addLinks(tidied);
  sortSchemas(tidied);
  return tidied;
}

type Known = { facts: Map<string, KnownFacts>; schemas: Record<string, object> };

function finishPaths(given: oas31.PathsObject, { facts, schemas }: Known): oas31.PathsObject {
  const paths: oas31.PathsObject = {};
  for (const [path, item] of sortedPaths(given)) {
    for (const operation of operationsOf(item)) {
      const known = factsOf(facts, operation.operationId);
      const isRepeatable = operation === item.post && !known.isPublic;
      const hasBodyRead = operation !== item.get && operation !== item.head;
      finishOperation(operation, { ...known, hasPathId: path.includes('{id}'), isRepeatable, hasBodyRead });
      if (operation === item.get && !known.isPublic) describeCaching(operation);
      if (known.deprecation) markDeprecated(operation, known.deprecation);
      nameRequestBody(operation, schemas, known);
    }
    paths[path] = item;
  }
  return paths;
}

function generate(version: string): oas31.OpenAPIObject {
  nameSchemas();
  const document = generateOpenApiDocument(appRouter as unknown as OpenApiRouter, {
    title: 'Earshot',
    version,
    baseUrl: restPrefix,
    paths: rawPaths(),
  });
  return structuredClone(document) as oas31.OpenAPIObject;
}

function finishOperation(operation: Operation, facts: Facts): void {
  const {
    isPublic,
    isPersonal,
    hasPathId,
    isRepeatable,
    takesIfMatch,
    isTagged,
    hasBodyRead,
    procedure,
    examples,
    errors,
    errorHeaders = {},
  } = facts;
  delete operation.security;
  if (isPublic) operation.security = [];
  const success = procedure ? successResponses(operation, procedure, examples) : operation.responses;
  operation.parameters = [
    ...(isPublic ? [] : [{ $ref: `#/components/parameters/${isPersonal ? 'OptionalOrg' : 'SelectedOrg'}` }]),
    ...(isRepeatable ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(takesIfMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(operation.parameters ?? []).map((parameter) => describeParameter(parameter, procedure?.fields ?? {})),
  ];
  const isHead = operation.operationId.startsWith('head');
  operation.responses = {
    ...withHeaders(success, examples, { isRepeatable, isTagged }),
    ...errorResponsesOf({
      isPublic,
      isRepeatable,
      takesIfMatch,
      readsJson: hasBodyRead && !isForm(operation.requestBody),
      entity: hasPathId ? entities[operation.tags?.[0] ?? ''] : undefined,
      declared: errors,
      declaredHeaders: errorHeaders,
      hasContent: !isHead,
    }),
  };
}

/** Audio says more about it itself. */
function describeCaching({ parameters = [], responses }: Operation): void {
  if ('304' in responses) return;
  parameters.push({ $ref: '#/components/parameters/IfNoneMatch' });
  const success = responses['200'] as oas31.ResponseObject;
  success.headers = { ...success.headers, ...cached };
  responses['304'] = { $ref: '#/components/responses/NotModified' };
}

/** The generator documents 200 with the bare output; the service answers with its own status and the envelope. */
function successResponses(
  { responses }: Operation,
  { isListing }: NonNullable<Facts['procedure']>,
  examples: OperationExamples,
): oas31.ResponsesObject {
  const output = responses['200'].content['application/json'].schema as oas31.SchemaObject;
  const schema = isListing ? output : { type: 'object' as const, required: ['data'], properties: { data: output } };
  return Object.fromEntries(
    Object.keys(examples.responses).map((status) => {
      const content = { 'application/json': { schema: structuredClone(schema) } };
      return [status, { description: 'Success.', ...(status !== '204' && { content }) }];
    }),
  );
}

function withHeaders(
  success: oas31.ResponsesObject,
  { responses }: OperationExamples,
  { isRepeatable, isTagged }: Pick<Facts, 'isRepeatable' | 'isTagged'>,
): oas31.ResponsesObject {
  return Object.fromEntries(
    Object.entries(success as Record<string, oas31.ResponseObject>)
      .filter(([status]) => status in responses)
      .map(([status, response]) => {
        const isMade = status === '201' || 202 in responses;
        const description = responses[Number(status)]?.description ?? response.description ?? 'Success.';
        const tagged = isTagged && { ETag: headerRef('ETag') };
        const made = { ...(isMade && { Location: headerRef('Location') }), ...tagged, ...(isRepeatable && replayed) };
        const headers = { ...everyResponse, ...made, ...response.headers };
        return [status, { ...response, description, headers }];
      }),
  );
}

/** The generator loses what is said of an optional parameter; an id shows what it looks like. */
function describeParameter(
  parameter: oas31.ParameterObject | oas31.ReferenceObject,
  fields: Record<string, z.core.$ZodType>,
): oas31.ParameterObject | oas31.ReferenceObject {
  if (!('name' in parameter)) return parameter;
  const { description: said, ...schema } = parameter.schema as oas31.SchemaObject;
  const description = descriptionOf(fields[parameter.name]) ?? parameter.description ?? said;
  const [example] = parameter.in === 'path' ? (schema.examples ?? []) : [];
  const known = { ...(description && { description }), ...(example !== undefined && { example }) };
  const list = schema.type === 'array' && { style: 'form' as const, explode: false };
  return { ...parameter, ...known, ...list, schema };
}

function descriptionOf(field: z.core.$ZodType | undefined): string | undefined {
  if (!field) return undefined;
  return (
    z.globalRegistry.get(field)?.description ??
    descriptionOf((field._zod.def as { innerType?: z.core.$ZodType }).innerType)
  );
}

function addExamples({ paths = {} }: oas31.OpenAPIObject, facts: Map<string, KnownFacts>): void {
  for (const item of Object.values(paths)) {
    for (const { operationId, requestBody, responses } of operationsOf(item)) {
      const { request, responses: shown } = factsOf(facts, operationId).examples;
      if (requestBody && 'content' in requestBody && request) {
        for (const media of Object.values(requestBody.content)) media.examples = request;
      }
      for (const [status, { examples: byType = {} }] of Object.entries(shown)) {
        for (const [type, named] of Object.entries(byType)) responses[status].content[type].examples = named;
      }
    }
  }
}

function operationsOf(item: oas31.PathItemObject): Operation[] {
  const { get, head, post, patch, delete: remove } = item;
  return [get, head, post, patch, remove].filter((operation) => operation !== undefined) as Operation[];
}

function sortedPaths(paths: oas31.PathsObject): [string, oas31.PathItemObject][] {
  const order = tags.map(({ name }) => name);
  const place = ([, item]: [string, oas31.PathItemObject]) => order.indexOf(operationsOf(item)[0]?.tags?.[0] ?? '');
  return Object.entries(paths).toSorted((a, b) => place(a) - place(b));
}

/** The generator lists schemas as it meets them: one more operation would move many of them. */
function sortSchemas({ components }: oas31.OpenAPIObject): void {
  const { schemas } = components ?? {};
  if (!components || !schemas) return;
  const names = Object.keys(schemas).sort();
  components.schemas = Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}]));
}
