type Named = Record<string, { summary: string; value: unknown }>;

/** What the document shows of an operation: `ProcedureMeta` asks for it wherever there is an address over REST. */
export type OperationExamples = {
  /** Of the body, by name. */
  request?: Named;
  /** By success status: what it means, and examples by media type; bodies without content have none. */
  responses: Record<number, { description?: string; examples?: Record<string, Named> }>;
};

/** A value as it looks over REST: dates are ISO 8601 strings there. */
export type Json<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

export const one = (summary: string, data: unknown) => json(summary, { data });
export const page = (summary: string, item: unknown) =>
  json(summary, { data: [item], meta: { page: 1, pageSize: 20, total: 1, nextCursor: null } });
export const nothing = { description: 'Deleted. There is no body.' };

function json(summary: string, value: unknown) {
  return { examples: { 'application/json': { example: { summary, value } } } };
}
