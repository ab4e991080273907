import { isDeepStrictEqual } from 'node:util';
import { asList, isSchema, type Schema } from './schema-tree.ts';

/** Of one shape: what tells it from the others, and which fields it has besides. */
type Shape = { value: string; properties: Schema; required: string[]; others: string[] };

/**
 * A choice of shapes that have to be told apart by a constant alone, as one object: `mark` with all constants, and every
 * other field where it belongs. Clients that look at the required fields of a shape find several that fit otherwise.
 * The rest of the rule, which fields go with which constant, is left to validators. Null where the shapes differ in what
 * they require.
 */
export function flattened(shapes: Schema[], mark: string): Schema | null {
  const known = shapes.map((shape) => shapeOf(shape, mark));
  const requirements = new Set(known.map(({ required }) => required.toSorted().join()));
  if (requirements.size === known.length) return null;
  const properties: Schema = { [mark]: { type: 'string', enum: known.map(({ value }) => value) } };
  for (const shape of known) {
    for (const name of shape.others) {
      const field = shape.properties[name];
      const documented = withUse(field, usersOf(name, known));
      if (name in properties && !isDeepStrictEqual(properties[name], documented)) return null;
      properties[name] = documented;
    }
  }
  const required = known.reduce((all, shape) => all.filter((name) => shape.required.includes(name)), [mark]);
  const rest = Object.keys(properties).filter((name) => name !== mark);
  return { type: 'object', properties, required, additionalProperties: false, ...conditionsOf(known, mark, rest) };
}

function shapeOf(shape: Schema, mark: string): Shape {
  const properties = (isSchema(shape['properties']) ? shape['properties'] : {}) as Record<string, Schema>;
  const required = asList(shape['required']) as string[];
  const others = Object.keys(properties).filter((name) => name !== mark);
  return { value: String(properties[mark]?.['const']), properties, required, others };
}

function usersOf(name: string, shapes: Shape[]): string[] {
  return shapes.filter(({ others }) => others.includes(name)).map(({ value }) => value);
}

function withUse(field: unknown, values: string[]): Schema {
  const schema = isSchema(field) ? field : {};
  const use = `With ${values.map((value) => `\`${value}\``).join(', ')}.`;
  return { ...schema, description: [schema['description'], use].filter(Boolean).join(' ') };
}

/** Each field only with its constants, and as many fields as the constant asks for. */
function conditionsOf(shapes: Shape[], mark: string, fields: string[]): Schema {
  // Linters want to see every field in every condition.
  const any = Object.fromEntries(fields.map((name) => [name, {}]));
  const among = (values: string[]): Schema => ({ properties: { [mark]: { enum: values }, ...any } });
  const dependentSchemas = Object.fromEntries(fields.map((name) => [name, among(usersOf(name, shapes))]));
  const counts = [...new Set(shapes.map(({ required }) => required.length))];
  const anyOf = counts.map((count) => ({
    ...among(shapes.filter(({ required }) => required.length === count).map(({ value }) => value)),
    minProperties: count,
  }));
  return { dependentSchemas: { ...dependentSchemas, [mark]: { anyOf } } };
}
