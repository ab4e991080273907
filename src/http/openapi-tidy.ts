import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';

type Schema = Record<string, unknown>;

/** The document without what the generator puts into schemas and no reader needs. Also changes the one given. */
export function tidySchemas(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const sent = sentComponents(document, components);
  for (const [name, schema] of Object.entries(components)) {
    walk(schema, (part) => tidy(part, sent.has(name) ? 'body' : 'answer'));
  }
  for (const schema of responseSchemas(document)) walk(schema, (part) => tidy(part, 'answer'));
  for (const schema of requestSchemas(document)) walk(schema, (part) => tidy(part, 'body'));
  for (const schema of parameterSchemas(document)) walk(schema, (part) => tidy(part, 'parameter'));
  return mergeTwins(document, components);
}

/** Names of the components that requests are made of, as opposed to those that only answers hold. */
function sentComponents(document: oas31.OpenAPIObject, components: Record<string, Schema>): Set<string> {
  const sent = new Set<string>();
  const follow = (schema: Schema): void => {
    const name = refName(schema);
    const target = name === undefined ? undefined : components[name];
    if (!name || !target || sent.has(name)) return;
    sent.add(name);
    walk(target, follow);
  };
  for (const schema of requestSchemas(document)) walk(schema, follow);
  return sent;
}

function tidy(schema: Schema, place: 'body' | 'answer' | 'parameter'): void {
  joinNull(schema);
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  // Responses may gain fields; only what is sent to us is closed.
  if (place === 'answer' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (place === 'body') sayDefault(schema);
  const names = schema['propertyNames'];
  if (isSchema(names) && Object.keys(names).length === 1 && names['type'] === 'string') delete schema['propertyNames'];
}

/** As a keyword it makes generators of clients take the property for one that has to be given. */
function sayDefault(schema: Schema): void {
  if (!('default' in schema)) return;
  const { default: value, description } = schema;
  delete schema['default'];
  const text = JSON.stringify(value);
  if (text !== '{}') schema['description'] = [description, `Default: \`${text}\`.`].filter(Boolean).join(' ');
}

const scalars = new Set<unknown>(['string', 'integer', 'number', 'boolean']);

/** `anyOf: [{ type: 'integer' }, { type: 'null' }]` says the same as `type: ['integer', 'null']`, at greater length. */
function joinNull(schema: Schema): void {
  const [value, none, ...more] = asList(schema['anyOf']);
  if (!isSchema(value) || !isSchema(none) || more.length > 0 || none['type'] !== 'null') return;
  if (!scalars.has(value['type']) || 'enum' in value || 'const' in value) return;
  delete schema['anyOf'];
  Object.assign(schema, { ...value, ...schema, type: [value['type'], 'null'] });
}

/** The generator keeps a component twice when it is sent and answered, even where both say the same. */
function mergeTwins(document: oas31.OpenAPIObject, components: Record<string, Schema>): oas31.OpenAPIObject {
  const suffix = 'Output';
  const twins = Object.keys(components).filter(
    (name) => name.endsWith(suffix) && isDeepStrictEqual(components[name], components[name.slice(0, -suffix.length)]),
  );
  for (const name of twins) delete components[name];
  const text = twins.reduce((json, name) => {
    const ref = `"#/components/schemas/${name}"`;
    return json.replaceAll(ref, ref.replace(`${suffix}"`, '"'));
  }, JSON.stringify(document));
  return JSON.parse(text) as oas31.OpenAPIObject;
}

/** Calls `visit` for the schema and every schema inside it. */
export function walk(schema: unknown, visit: (schema: Schema) => void): void {
  if (!isSchema(schema)) return;
  visit(schema);
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'not']) walk(schema[key], visit);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const part of asList(schema[key])) walk(part, visit);
  }
  for (const part of Object.values(isSchema(schema['properties']) ? schema['properties'] : {})) walk(part, visit);
}

function requestSchemas(document: oas31.OpenAPIObject): unknown[] {
  return operations(document).flatMap(({ requestBody }) =>
    requestBody && 'content' in requestBody ? Object.values(requestBody.content).map(({ schema }) => schema) : [],
  );
}

function responseSchemas(document: oas31.OpenAPIObject): unknown[] {
  return operations(document).flatMap(({ responses = {} }) =>
    Object.values(responses as Record<string, oas31.ResponseObject>).flatMap(({ content = {} }) =>
      Object.values(content).map(({ schema }) => schema),
    ),
  );
}

function parameterSchemas(document: oas31.OpenAPIObject): unknown[] {
  return operations(document).flatMap(({ parameters = [] }) =>
    parameters.map((parameter) => ('schema' in parameter ? parameter.schema : undefined)),
  );
}

function operations({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] {
  return Object.values(paths).flatMap(
    (item) => Object.values(item as oas31.PathItemObject).filter(isSchema) as oas31.OperationObject[],
  );
}

function refName({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
