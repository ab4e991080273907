import type { InjectOptions } from 'fastify';
import { appRouter } from '../../src/api/router.ts';
import { toolNameOf } from '../../src/http/mcp/tools.ts';
import { errorTable, type ErrorCode } from '../../src/lib/errors.ts';
import { proceduresOf } from '../../src/trpc/definitions.ts';

/** Procedures that are tools as well. */
const tools = new Set(proceduresOf(appRouter).flatMap(({ path, meta }) => (meta?.mcp ? [path] : [])));

export function isTool(rpc: string | undefined): boolean {
  return rpc !== undefined && tools.has(rpc);
}

export function toolRequest(rpc: string, input: Record<string, unknown>): InjectOptions {
  return {
    method: 'POST',
    url: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: toolNameOf(rpc), arguments: input } },
  };
}

type Answer = { status: number; body: string };

/** A refusal of a tool is a result with text; its code has a status over REST. */
export function readToolAnswer({ statusCode: status, body }: { statusCode: number; body: string }): Answer {
  const { result } = JSON.parse(body) as { result?: { isError?: boolean; content: { text: string }[] } };
  if (!result) return { status, body };
  const text = result.content.map((part) => part.text).join('');
  if (!result.isError) return { status, body: text };
  const { error } = JSON.parse(text) as { error: { code: ErrorCode } };
  return { status: errorTable[error.code].status, body: text };
}
