import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';
import { flattened } from './flatten.ts';
import { answersOf, asList, isSchema, outputSuffix, refName, type Schema } from './schema-tree.ts';

type Schemas = Record<string, Schema>;

/**
 * Gives every part of a schema for which clients need a type a name from where it stands, so that generators neither borrow
 * one nor count. The only place that makes names:
 *
 * - what an operation answers with: `ProjectResponse` for `{ data: Project }`
 * - an object in a field: `AnalysisProfile`; in a list: `UsageReportItem` for one of the `items`
 * - one of several shapes: by the value that tells them apart, `ConditionMetric`, with that field as discriminator;
 *   shapes that nothing but a constant tells apart become one object
 * - a choice of values that may be null, or of types: `WebhookDisabledReason`, `AlertConditionValue`
 *
 * Throws where two different schemas would have one name: give one of them an id where it is declared.
 */
export function nameParts(document: oas31.OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const [name, schema] of Object.entries(schemas)) nameInside(schema, ownerOf(name), schemas);
  for (const { operationId, media } of answersOf(document)) {
    if (!isSchema(media.schema) || refName(media.schema) !== undefined || !('properties' in media.schema)) continue;
    const { data } = media.schema['properties'] as Schemas;
    const owner = { base: pascal(operationId), suffix: '' };
    nameInside(media.schema, owner, schemas);
    const told = data && refName(data);
    const base = told === undefined ? owner.base : ownerOf(told).base;
    // Native routes say that their envelope is closed; as an answer it is not.
    const { additionalProperties: _closed, ...envelope } = media.schema as Schema;
    media.schema = define({ base: `${base}Response`, suffix: '' }, envelope, schemas);
  }
}

/** Parts of what is only answered end like their owner. */
type Owner = { base: string; suffix: string };

function ownerOf(name: string): Owner {
  const isAnswer = name.endsWith(outputSuffix);
  return { base: isAnswer ? name.slice(0, -outputSuffix.length) : name, suffix: isAnswer ? outputSuffix : '' };
}

function nameInside(schema: Schema, owner: Owner, schemas: Schemas): void {
  const at = (name: string): Owner => ({ ...owner, base: `${owner.base}${pascal(name)}` });
  const properties = isSchema(schema['properties']) ? (schema['properties'] as Schemas) : {};
  for (const [key, part] of Object.entries(properties)) properties[key] = namedPart(part, at(key), schemas);
  const one = { ...owner, base: singular(owner.base) };
  for (const key of ['items', 'additionalProperties']) {
    const part = schema[key];
    if (isSchema(part)) schema[key] = namedPart(part, one, schemas);
  }
  nameShapes(schema, owner, schemas);
}

function namedPart(part: Schema, owner: Owner, schemas: Schemas): Schema {
  if (refName(part) !== undefined) return part;
  nameInside(part, owner, schemas);
  return needsType(part) ? define(owner, part, schemas) : part;
}

function needsType(schema: Schema): boolean {
  const types = asList(schema['type']).filter((type) => type !== 'null');
  return 'properties' in schema || shapesOf(schema).length > 1 || types.length > 1;
}

/** The members of `anyOf` or `oneOf` but for null. */
function shapesOf(schema: Schema): Schema[] {
  const choice = [...asList(schema['anyOf']), ...asList(schema['oneOf'])].filter(isSchema);
  return choice.filter(({ type }) => type !== 'null');
}

function nameShapes(schema: Schema, owner: Owner, schemas: Schemas): void {
  const shapes = shapesOf(schema);
  const mark = shapes.length > 1 ? markOf(shapes) : undefined;
  const flat =
    mark === undefined || shapes.some((shape) => refName(shape) !== undefined) ? null : flattened(shapes, mark);
  if (flat) {
    delete schema['oneOf'];
    Object.assign(schema, flat);
    return;
  }
  const names = new Map<Schema, Schema>();
  for (const shape of shapes) {
    if (refName(shape) !== undefined) continue;
    const value = mark && valueOf(shape, mark);
    const ownerOfShape = value === undefined ? owner : { ...owner, base: `${owner.base}${pascal(value)}` };
    const isWorthName = 'properties' in shape || 'enum' in shape;
    nameInside(shape, ownerOfShape, schemas);
    if (isWorthName) names.set(shape, define(ownerOfShape, shape, schemas));
  }
  for (const key of ['anyOf', 'oneOf']) {
    const choice = schema[key];
    if (Array.isArray(choice)) schema[key] = choice.map((shape: Schema) => names.get(shape) ?? shape);
  }
  if (mark === undefined || 'discriminator' in schema) return;
  const mapping = Object.fromEntries(
    shapes.map((shape) => [valueOf(shape, mark), (names.get(shape) ?? shape)['$ref']]),
  ) as Record<string, string>;
  schema['discriminator'] = { propertyName: mark, mapping };
}

/** The field that has another constant in every shape. */
function markOf(shapes: Schema[]): string | undefined {
  const [first] = shapes;
  const keys = Object.keys(isSchema(first?.['properties']) ? first['properties'] : {});
  return keys.find((key) => new Set(shapes.map((shape) => valueOf(shape, key) ?? '')).size === shapes.length);
}

function valueOf(shape: Schema, key: string): string | undefined {
  const field = isSchema(shape['properties']) ? shape['properties'][key] : undefined;
  return isSchema(field) && typeof field['const'] === 'string' ? field['const'] : undefined;
}

function define({ base, suffix }: Owner, schema: Schema, schemas: Schemas): Schema {
  const name = `${base}${suffix}`;
  const taken = schemas[name];
  if (taken && !isDeepStrictEqual(taken, schema)) throw new Error(`Two schemas would be called ${name}.`);
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

export function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name;
}
