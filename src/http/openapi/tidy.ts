import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';
import {
  asList,
  isSchema,
  outputSuffix,
  parameterSchemas,
  refName,
  requestSchemas,
  responseSchemas,
  walk,
  type Schema,
} from './schema-tree.ts';

/** The document without what the generator puts into schemas and no reader needs. Also changes the one given. */
export function tidySchemas(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const sent = namesWithin(requestSchemas(document), components);
  separateAnswers(document, { components, sent });
  for (const [name, schema] of Object.entries(components)) {
    walk(schema, (part) => tidy(part, sent.has(name) ? 'body' : 'answer'));
  }
  for (const schema of responseSchemas(document)) walk(schema, (part) => tidy(part, 'answer'));
  for (const schema of requestSchemas(document)) walk(schema, (part) => tidy(part, 'body'));
  for (const schema of parameterSchemas(document)) walk(schema, (part) => tidy(part, 'parameter'));
  return mergeTwins(document, components);
}

/** Names of the components that the schemas are made of. */
function namesWithin(schemas: unknown[], components: Record<string, Schema>): Set<string> {
  const names = new Set<string>();
  const follow = (schema: Schema): void => {
    const name = refName(schema);
    const target = name === undefined ? undefined : components[name];
    if (!name || !target || names.has(name)) return;
    names.add(name);
    walk(target, follow);
  };
  for (const schema of schemas) walk(schema, follow);
  return names;
}

type Sent = { components: Record<string, Schema>; sent: Set<string> };

/** What is sent is closed, and what is answered may grow: where a component is both, answers have one of their own. */
function separateAnswers(document: oas31.OpenAPIObject, { components, sent }: Sent): void {
  const answers = responseSchemas(document);
  const answered = namesWithin(answers, components);
  const shared = [...answered].filter((name) => sent.has(name));
  for (const name of shared) components[`${name}${outputSuffix}`] = structuredClone(components[name] ?? {});
  const separate = (schema: Schema): void => {
    const name = refName(schema);
    if (name !== undefined && sent.has(name)) schema['$ref'] = `#/components/schemas/${name}${outputSuffix}`;
    const mapping = isSchema(schema['discriminator']) ? schema['discriminator']['mapping'] : undefined;
    if (!isSchema(mapping)) return;
    for (const [value, $ref] of Object.entries(mapping)) {
      if (sent.has(refName({ $ref }) ?? '')) mapping[value] = `${String($ref)}${outputSuffix}`;
    }
  };
  for (const name of answered) walk(components[sent.has(name) ? `${name}${outputSuffix}` : name], separate);
  for (const schema of answers) walk(schema, separate);
}

function tidy(schema: Schema, place: 'body' | 'answer' | 'parameter'): void {
  joinNull(schema);
  splitTypes(schema);
  // Larger numbers are refused, and none is answered.
  if (place === 'answer' && schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (place === 'answer' && schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  // Responses may gain fields; what is sent to us is closed, unless it says otherwise.
  if (place === 'answer') {
    if ('properties' in schema && !isSchema(schema['additionalProperties'])) schema['additionalProperties'] = true;
    delete schema['default'];
  }
  if (place === 'body') {
    if ('properties' in schema) schema['additionalProperties'] ??= false;
    sayDefault(schema);
  }
  sayPrecision(schema);
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

/** Clients would otherwise take 32 bits: too few for money, sizes of files and counts. */
function sayPrecision(schema: Schema): void {
  const type = [schema['type']].flat().find((each) => each !== 'null');
  if (type === 'number') schema['format'] ??= 'double';
  else if (type === 'integer' && !(Number(schema['maximum']) < 2 ** 31)) schema['format'] ??= 'int64';
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

/** `type: ['number', 'string']` says the same as a choice, which generators know. */
function splitTypes(schema: Schema): void {
  const types = asList(schema['type']);
  if (types.filter((type) => type !== 'null').length < 2) return;
  delete schema['type'];
  schema['anyOf'] = types.map((type) => ({ type }));
}

/** The generator keeps a component twice when it is sent and answered, even where both say the same. */
function mergeTwins(document: oas31.OpenAPIObject, components: Record<string, Schema>): oas31.OpenAPIObject {
  const twins = Object.keys(components).filter(
    (name) =>
      name.endsWith(outputSuffix) &&
      isDeepStrictEqual(components[name], components[name.slice(0, -outputSuffix.length)]),
  );
  for (const name of twins) delete components[name];
  const text = twins.reduce((json, name) => {
    const ref = `"#/components/schemas/${name}"`;
    return json.replaceAll(ref, ref.replace(`${outputSuffix}"`, '"'));
  }, JSON.stringify(document));
  return JSON.parse(text) as oas31.OpenAPIObject;
}
