export type Schema = Record<string, unknown>;
export type Document = { paths: Schema; components: Record<string, Record<string, Schema>> };

/** What values of one kind look like. A schema is the list of its alternatives, however it is spelt. */
export type Alternative = {
  kind: 'null' | 'boolean' | 'string' | 'number' | 'array' | 'object' | 'any';
  schema: Schema;
};

const kinds: Record<string, Alternative['kind']> = {
  null: 'null',
  boolean: 'boolean',
  string: 'string',
  number: 'number',
  integer: 'number',
  array: 'array',
  object: 'object',
};

/** `$ref`, `allOf`, `anyOf`, `oneOf`, `const` and lists of types are dissolved: only what a value may be is left. */
export function alternativesOf(schema: Schema, document: Document): Alternative[] {
  return joinEnums(dissolve(schema, document).flatMap(byKind));
}

export function resolve<T extends Schema>(part: T, document: Document): T {
  const ref = part['$ref'];
  if (typeof ref !== 'string') return part;
  const [, , group = '', name = ''] = ref.split('/');
  const target = document.components[group]?.[name];
  if (!target) throw new Error(`${ref} leads nowhere.`);
  const { $ref: _ref, ...siblings } = part;
  return resolve({ ...target, ...siblings } as T, document);
}

export function schemaOf(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schema as schemas without `$ref`, `allOf`, `anyOf` and `oneOf`, one for each way through them. */
function dissolve(schema: Schema, document: Document): Schema[] {
  const { allOf, anyOf, oneOf, discriminator: _discriminator, ...own } = resolve(schema, document);
  // JSON in the part of a form is what it holds.
  const held = schemaOf(own['contentSchema']);
  if (held) return dissolve(held, document);
  let ways: Schema[] = [own];
  const cross = (others: Schema[]): void => {
    ways = ways.flatMap((way) => others.map((other) => both(way, other)));
  };
  for (const part of listOf(allOf)) cross(dissolve(part as Schema, document));
  for (const choice of [anyOf, oneOf]) {
    if (choice === undefined) continue;
    cross(listOf(choice).flatMap((part) => dissolve(part as Schema, document)));
  }
  return ways;
}

function both(one: Schema, other: Schema): Schema {
  const merged: Schema = { ...one, ...other };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  if (required.length > 0) merged['required'] = [...new Set(required)];
  if (one['properties'] ?? other['properties']) {
    merged['properties'] = { ...schemaOf(one['properties']), ...schemaOf(other['properties']) };
  }
  return merged;
}

function byKind(schema: Schema): Alternative[] {
  const { const: only, ...rest } = schema;
  const values = 'const' in schema ? [only] : schema['enum'];
  const types = typesOf(schema, values);
  if (types.length === 0) return [{ kind: 'any', schema }];
  return types.map((type) => {
    const fitting = listOf(values).filter((value) => kindOf(value) === kinds[type]);
    return {
      kind: kinds[type] ?? 'any',
      schema: { ...rest, type, ...(Array.isArray(values) && { enum: fitting }) },
    };
  });
}

function typesOf({ type, properties, additionalProperties, items }: Schema, values: unknown): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as string[];
  if (Array.isArray(values)) return [...new Set(values.map(kindOf))];
  if (properties ?? additionalProperties) return ['object'];
  return items ? ['array'] : [];
}

function kindOf(value: unknown): Alternative['kind'] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return kinds[typeof value] ?? 'any';
}

/** `a | b` is the same as a choice of `a` and `b`. */
function joinEnums(alternatives: Alternative[]): Alternative[] {
  const joined: Alternative[] = [];
  for (const alternative of alternatives) {
    const { kind, schema } = alternative;
    const before = joined.find((each) => each.kind === kind && isEnum(each) && isEnum(alternative));
    if (before) before.schema['enum'] = [...listOf(before.schema['enum']), ...listOf(schema['enum'])];
    else joined.push({ kind, schema: { ...schema } });
  }
  return joined;
}

function isEnum({ kind, schema }: Alternative): boolean {
  return 'enum' in schema && kind !== 'object' && kind !== 'array';
}
