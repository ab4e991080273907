import type { AnyRouter } from '@trpc/server';
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Permission } from '../../auth/permissions.ts';
import { maskPhone } from '../../lib/mask.ts';
import { writeAnswer } from '../../lib/plain-json.ts';
import { proceduresOf, type Procedure } from '../../trpc/definitions.ts';
import { toPublicError, type Context, type PublicError, type ToolMeta } from '../../trpc/init.ts';
import { errorBody } from '../errors.ts';
import { inputSchemaOf, notice, outputSchemaOf } from './tool-schemas.ts';

export type Tool = {
  /** As it is listed. */
  definition: ToolDefinition;
  permission: Permission;
  /** Errors of the procedure are results too, so that the assistant reads them. */
  run(ctx: Context, read: () => unknown): Promise<Outcome>;
};

type Outcome = { result: CallToolResult; thrown?: unknown; error?: PublicError };

/** The tools of a router by name: every procedure that declares `mcp`. Throws if it is not a query for members. */
export function toolsOf(router: AnyRouter): Map<string, Tool> {
  const tools = proceduresOf(router).flatMap((procedure) => {
    const { mcp } = procedure.meta ?? {};
    return mcp ? [toTool(procedure, mcp)] : [];
  });
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

/** `records.list` is `records_list`: models take no dots in names. */
export function toolNameOf(path: string): string {
  return path.replaceAll('.', '_');
}

function toTool({ path, type, meta, inputs, output, call }: Procedure, mcp: ToolMeta): Tool {
  const { title } = mcp;
  const description = mcp.description ?? meta?.openapi?.description;
  if (!meta?.permission || type !== 'query') throw new Error(`${path} is no query for members of an organization.`);
  if (description === undefined || !output || inputs.length > 1) throw new Error(`${path} cannot be described.`);
  return {
    definition: {
      name: toolNameOf(path),
      title,
      description: `${description} ${notice}`,
      inputSchema: inputSchemaOf(inputs[0]),
      outputSchema: outputSchemaOf(output, mcp),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    },
    permission: meta.permission,
    async run(ctx, read) {
      try {
        return { result: toResult(await call(ctx, read), mcp) };
      } catch (thrown) {
        const error = toPublicError(thrown);
        return { result: toErrorResult(error), thrown, error };
      }
    },
  };
}

/** The answer twice, as text and as structured content, since clients read one or the other. */
function toResult(answer: unknown, mcp: ToolMeta): CallToolResult {
  const json = writeAnswer(shortened(answer, mcp)).join('');
  return {
    content: [{ type: 'text', text: `${notice}\n\n${json}` }],
    structuredContent: { notice, ...JSON.parse(json) },
  };
}

export function toErrorResult(error: PublicError): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
}

function shortened(answer: unknown, mcp: ToolMeta): unknown {
  if (!isObject(answer)) throw new Error('A tool answers objects.');
  const { data } = answer;
  if (Array.isArray(data))
    return { ...answer, data: data.map((item) => (isObject(item) ? shortenOne(item, mcp) : item)) };
  return shortenOne(answer, mcp);
}

function shortenOne(item: Record<string, unknown>, { without = [], masked = [] }: ToolMeta): Record<string, unknown> {
  const kept = Object.entries(item).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, masked.includes(name) && typeof value === 'string' ? maskPhone(value) : value]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
