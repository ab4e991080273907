import type { oas31 } from 'zod-openapi';
import { answersOf, isSchema, refName, type Schema } from './schema-tree.ts';

/** Fields that name a resource, and the operation that reads it. */
const readers: Record<string, string> = {
  analysisId: 'getAnalysis',
  profileId: 'getProfile',
  projectId: 'getProject',
  recordId: 'getRecord',
};

/**
 * Says where an answer leads: what was made to the operations on it, and every id of another resource to the operation that
 * reads that. Only where the field is always a text; the rest of a path is that of the request.
 */
export function addLinks(document: oas31.OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, Operation>>);
  const operations = new Map(
    paths.flatMap(([path, item]) => Object.values(item).map((operation) => [operation.operationId, path] as const)),
  );
  for (const { operationId, status, response, media } of answersOf(document)) {
    if (!status.startsWith('2')) continue;
    const fields = fieldsOf(media.schema, schemas);
    const links: oas31.LinksObject = {};
    for (const [field, reader] of Object.entries(readers)) {
      if (isText(fields[field]) && reader !== operationId) links[reader] = linkTo(reader, 'id', field);
    }
    const path = operations.get(operationId);
    if (status !== '200' && isText(fields['id']) && path !== undefined) {
      for (const target of operationsOn(placeOfMade(path, operations), paths)) {
        links[target.operationId] = linkTo(target.operationId, target.parameter, 'id', path);
      }
    }
    if (Object.keys(links).length > 0) response.links = links;
  }
}

type Operation = { operationId: string };

function fieldsOf(schema: unknown, schemas: Record<string, Schema>): Record<string, unknown> {
  const envelope = propertiesOf(schema, schemas);
  return propertiesOf(envelope['data'], schemas);
}

function propertiesOf(schema: unknown, schemas: Record<string, Schema>): Record<string, unknown> {
  const resolved = isSchema(schema) ? (schemas[refName(schema) ?? ''] ?? schema) : {};
  return isSchema(resolved['properties']) ? resolved['properties'] : {};
}

function isText(field: unknown): boolean {
  return isSchema(field) && field['type'] === 'string';
}

/** A collection holds what it makes; whatever else makes records or analyses does so for theirs. */
function placeOfMade(path: string, operations: Map<string, string>): string {
  const made = /^\/records\/(upload|ingest)$/.test(path) ? operations.get('getRecord') : undefined;
  if (path.endsWith('/re-analyze') || path.endsWith('/swap-speakers')) return operations.get('getAnalysis') ?? '';
  if (path === '/users/invite') return operations.get('getUser') ?? '';
  return made ?? [...operations.values()].find((each) => each.startsWith(`${path}/{`) && isOneMore(each, path)) ?? '';
}

function isOneMore(path: string, collection: string): boolean {
  return path.split('/').length === collection.split('/').length + 1;
}

type Target = { operationId: string; parameter: string };

function operationsOn(place: string, paths: [string, Record<string, Operation>][]): Target[] {
  const parameter = /\{(\w+)\}$/.exec(place)?.[1];
  if (parameter === undefined) return [];
  const item = paths.find(([path]) => path === place)?.[1] ?? {};
  return Object.values(item).map(({ operationId }) => ({ operationId, parameter }));
}

function linkTo(operationId: string, parameter: string, field: string, path = ''): oas31.LinkObject {
  const outer = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === parameter ? [] : [[name, `$request.path.${name}`]],
  );
  return { operationId, parameters: { ...Object.fromEntries(outer), [parameter]: `$response.body#/data/${field}` } };
}
