type Named = Record<string, { summary: string; value: unknown }>;

export type OperationExamples = {
  /** Of the body, by name. */
  request?: Named;
  /** By success status: what it means, and examples by media type; bodies without content have none. */
  responses: Record<number, { description?: string; examples?: Record<string, Named> }>;
};

const json = (summary: string, value: unknown) => ({
  examples: { 'application/json': { example: { summary, value } } },
});
export const one = (summary: string, data: unknown) => json(summary, { data });
export const page = (summary: string, item: unknown) =>
  json(summary, { data: [item], meta: { page: 1, pageSize: 20, total: 1 } });
export const nothing = { description: 'Deleted. There is no body.' };
