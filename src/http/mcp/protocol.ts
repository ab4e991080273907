import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../auth/principal.ts';
import { can } from '../../auth/permissions.ts';
import { countToolCall } from '../../lib/metrics.ts';
import { version } from '../../lib/version.ts';
import { publicErrorOf } from '../errors.ts';
import { notice } from './tool-schemas.ts';
import { toErrorResult, type Tool } from './tools.ts';

const instructions =
  `Earshot holds recorded customer calls: transcripts, quality scores, and the evidence that each score rests on. ${notice} ` +
  'Start with overview_get for figures, search_query for words, records_list for calls by their facts. ' +
  'Read a transcript in parts with records_segments, and say with each claim which call and which second it comes from.';

/** What a message is answered from: the tools, and who asks for them. */
export type Asked = {
  tools: ReadonlyMap<string, Tool>;
  req: FastifyRequest;
  /** Null while several organizations are possible; then `whyNot` says what to do. */
  actor: Actor | null;
  whyNot: () => Error;
};

/**
 * Answers one message of the Streamable HTTP transport, in any revision of the protocol that the SDK knows. Nothing is
 * kept between two messages, so any process answers any of them; and nothing is streamed.
 */
export async function answerMessage(asked: Asked): Promise<Response> {
  const { req } = asked;
  const request = new Request(`http://${req.host}${req.url}`, { method: 'POST', headers: headersOf(req) });
  const parsedBody = req.body;
  if (!(await isLegacyRequest(request, parsedBody))) {
    // Nothing here changes unasked, so nobody needs to be told.
    const handler = createMcpHandler(() => createServer(asked), { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer(asked);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function createServer(asked: Asked): Server {
  const info = { name: 'earshot', title: 'Earshot', version };
  const server = new Server(info, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => ({ tools: listTools(asked) }));
  server.setRequestHandler('tools/call', ({ params }) => callTool(asked, params.name));
  return server;
}

/** Only what the role allows: a tool that always refuses is of no use to an assistant. */
function listTools({ tools, actor }: Asked) {
  const usable = [...tools.values()].filter(({ permission }) => actor === null || can(actor.role, permission));
  return usable.map(({ definition }) => definition);
}

async function callTool({ tools, req, actor, whyNot }: Asked, asked: string): Promise<CallToolResult> {
  const tool = tools.get(asked);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool \`${asked}\`.`);
  if (!actor) return toErrorResult(publicErrorOf(whyNot()));
  const { name } = tool.definition;
  const from = performance.now();
  const { result, error, thrown } = await tool.run(req.context, () => argumentsOf(req));
  const durationMs = performance.now() - from;
  const outcome = error?.code ?? 'ok';
  countToolCall({ tool: name, outcome, seconds: durationMs / 1000 });
  req.log.info({ tool: name, outcome, durationMs: Math.round(durationMs) }, 'tool call');
  if (error && error.status >= 500) req.log.error({ err: thrown, tool: name }, 'tool failed');
  return result;
}

/** As they were sent: the SDK's copy lacks names such as `__proto__`, which procedures refuse. */
function argumentsOf({ body }: FastifyRequest): unknown {
  return (body as { params?: { arguments?: unknown } }).params?.arguments ?? {};
}

/** Those of the protocol. The SDK checks them; credentials are none of its business. */
function headersOf({ headers }: FastifyRequest): Headers {
  const kept = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
}
