import type { z } from 'zod';

/**
 * Converts the text of a query or path parameter to the type that the schema expects. Text that does not fit is left
 * for the schema to reject.
 */
export type Coerce = (text: unknown) => unknown;

type Definition = {
  type: string;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
};

/** As JSON writes numbers. */
const numberText = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * Compiled once per procedure. Never changes the schema, so RPC stays strict. Contains only the keys that need
 * conversion.
 */
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
      return (text) => (typeof text === 'string' && numberText.test(text) ? Number(text) : text);
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : text);
    case 'array':
      return (text) => (typeof text === 'string' ? text.split(',') : text);
    default:
      return innerType ? coercerOf(innerType) : input ? coercerOf(input) : undefined;
  }
}

/** zod types its definitions by kind of schema; this type has the parts shared by the kinds that we visit. */
function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition;
}
