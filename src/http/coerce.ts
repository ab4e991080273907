import type { z } from 'zod';

/** Reads the text of a query or path parameter as the value that the schema expects; leaves what does not fit to it. */
export type Coerce = (text: unknown) => unknown;

type Definition = {
  type: string;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
};

/** Compiled once a procedure. Never changes the schema, so RPC stays as strict as it is. Keys without need are absent. */
export function coercersOf(schema: z.core.$ZodType): Map<string, Coerce> {
  const coercers = new Map<string, Coerce>();
  for (const [key, field] of Object.entries(objectShape(schema))) {
    const coerce = coercerOf(field);
    if (coerce) coercers.set(key, coerce);
  }
  return coercers;
}

/** The fields of an object schema, through refinements and defaults. */
export function objectShape(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  const { type, shape, innerType, in: input } = definitionOf(schema);
  if (type === 'object') return shape ?? {};
  const inner = innerType ?? input;
  return inner ? objectShape(inner) : {};
}

function coercerOf(schema: z.core.$ZodType): Coerce | undefined {
  const { type, innerType, in: input } = definitionOf(schema);
  switch (type) {
    case 'number':
      return (text) => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : text);
    default:
      return innerType ? coercerOf(innerType) : input ? coercerOf(input) : undefined;
  }
}

/** zod types its definitions per kind of schema; these are the parts that all the kinds we walk through have. */
function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition;
}
