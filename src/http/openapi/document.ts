import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import type { oas31 } from 'zod-openapi';
import { z } from 'zod';
import { appRouter } from '../../api/router.ts';
import { objectShape } from '../coerce.ts';
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
import { isForm, nameRequestBody, takesNothing } from './bodies.ts';
import { writeObjectsAsText } from './forms.ts';
import { addLinks } from './links.ts';
import { nameParts } from './name-parts.ts';
import { nameSchemas } from './names.ts';
import {
  about,
  entities,
  idempotencyKey,
  ifNoneMatch,
  optionalOrg,
  selectedOrg,
  securitySchemes,
  tags,
} from './prose.ts';
import { rawOperations, rawPaths } from './raw.ts';
import { tidySchemas } from './tidy.ts';
import type { OperationExamples } from '../../trpc/examples.ts';
import type { ProcedureMeta } from '../../trpc/init.ts';
import { markDeprecated } from '../deprecation.ts';
import { endpointsOf, isEnveloped, restPrefix } from '../rest.ts';

type Operation = oas31.OperationObject & { operationId: string; responses: oas31.ResponsesObject };

/** What the finished operation is made of, besides what the generator could know. */
type Facts = {
  isPublic: boolean;
  /** About the person: no organization has to be selected. */
  isPersonal?: boolean;
  hasPathId: boolean;
  /** Takes an `Idempotency-Key`. */
  isRepeatable: boolean;
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

type KnownFacts = Omit<Facts, 'hasPathId' | 'isRepeatable' | 'hasBodyRead'>;

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

function factsByOperation(): Map<string, KnownFacts> {
  const facts = new Map<string, KnownFacts>();
  for (const { inputs, output, meta } of endpointsOf(appRouter)) {
    const { operationId, errorResponses } = meta.openapi;
    if (!operationId) throw new Error(`${meta.openapi.path} has no operationId.`);
    const [input] = inputs;
    facts.set(operationId, {
      isPublic: false,
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
    facts.set(operationId, { isPublic, examples, errors, errorHeaders });
  }
  return facts;
}

function factsOf(facts: Map<string, KnownFacts>, operationId: string): KnownFacts {
  const known = facts.get(operationId);
  if (!known) throw new Error(`${operationId} is not known.`);
  return known;
}

function finishOperation(operation: Operation, facts: Facts): void {
  const {
    isPublic,
    isPersonal,
    hasPathId,
    isRepeatable,
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
    ...(operation.parameters ?? []).map((parameter) => describeParameter(parameter, procedure?.fields ?? {})),
  ];
  const isHead = operation.operationId.startsWith('head');
  operation.responses = {
    ...withHeaders(success, examples, isRepeatable),
    ...errorResponsesOf({
      isPublic,
      isRepeatable,
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
  isRepeatable: boolean,
): oas31.ResponsesObject {
  return Object.fromEntries(
    Object.entries(success as Record<string, oas31.ResponseObject>)
      .filter(([status]) => status in responses)
      .map(([status, response]) => {
        const isMade = status === '201' || 202 in responses;
        const description = responses[Number(status)]?.description ?? response.description ?? 'Success.';
        const made = { ...(isMade && { Location: headerRef('Location') }), ...(isRepeatable && replayed) };
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
