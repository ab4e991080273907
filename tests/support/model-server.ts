import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type Protocol = 'chat' | 'responses' | 'messages';

export type AskedQuestion = { id: string; title: string; question: string; prove: 'pass' | 'fail'; words_by: string };
export type ShownLine = { n: number; by: string; at: string; text: string; after_silence_s?: number };

/** A request as a model reads it. */
export type ModelRequest = {
  protocol: Protocol;
  headers: IncomingMessage['headers'];
  /** As it came. */
  body: Record<string, unknown>;
  system: string;
  user: string;
  questions: AskedQuestion[];
  lines: ShownLine[];
  /** What it said before, where it is asked to mend it. */
  turns: number;
  count: number;
};

export type ModelReply =
  | { text: string; stop?: 'stop' | 'length' | 'refusal'; input?: number; output?: number }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Never answers. */
  | 'hang'
  /** Breaks the connection off. */
  | 'cut';

/** A promise holds the answer back until the test has seen to something else. */
type Script = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

export type ModelServer = {
  /** With the version, as it is configured. */
  baseUrl: string;
  received: ModelRequest[];
  /** Replaces what it answers from here on. */
  answer(reply: Script): void;
  close(): Promise<void>;
};

/**
 * A language model's server on this machine, scripted: it speaks OpenAI's chat completions and Responses API and
 * Anthropic's messages, as far as structured answers go.
 */
export async function startModelServer(reply: Script): Promise<ModelServer> {
  const received: ModelRequest[] = [];
  let script: Script = reply;
  const server = createServer((request, response) => void handle(request, response));
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const protocol = protocolOf(message.url ?? '');
    const body = (await json(message)) as Record<string, unknown>;
    const { system, user, turns } = readMessages(protocol, body);
    const asked = { ...readPrompt(user), system, user, turns };
    const request = { protocol, headers: message.headers, body, ...asked, count: received.length + 1 };
    received.push(request);
    send(response, request, await script(request));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    answer(next) {
      script = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function protocolOf(url: string): Protocol {
  if (url.endsWith('/chat/completions')) return 'chat';
  if (url.endsWith('/responses')) return 'responses';
  if (url.endsWith('/messages')) return 'messages';
  throw new Error(`Nobody asks a model at ${url}.`);
}

type Message = { role: string; content: string | { text?: string }[] };

function readMessages(protocol: Protocol, body: Record<string, unknown>) {
  const messages = (protocol === 'responses' ? body['input'] : body['messages']) as Message[];
  const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';
  const system =
    protocol === 'messages'
      ? textOf(body['system'] as Message['content'])
      : messages
          .filter(isSystem)
          .map(({ content }) => textOf(content))
          .join('\n');
  const others = messages.filter((message) => !isSystem(message));
  return { system, user: textOf(others[0]?.content ?? ''), turns: others.length };
}

function textOf(content: Message['content']): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

/** The questions and the lines between the two markers of the same code. */
function readPrompt(user: string): { questions: AskedQuestion[]; lines: ShownLine[] } {
  const [, code = ''] = /^<transcript ([0-9a-f]+)>$/m.exec(user) ?? [];
  const [before = '', rest = ''] = user.split(`<transcript ${code}>\n`);
  const [inside = ''] = rest.split(`\n</transcript ${code}>`);
  const objects = (text: string): unknown[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
  return { questions: objects(before) as AskedQuestion[], lines: objects(inside) as ShownLine[] };
}

function send(response: ServerResponse, { protocol, body }: ModelRequest, reply: ModelReply): void {
  if (reply === 'hang') return;
  if (reply === 'cut') return void response.destroy();
  if ('status' in reply) {
    const content =
      typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? { error: { message: 'no' } });
    return void response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(content);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  const written = WRITERS[protocol](reply);
  // Models without structured answers are made to call a tool with the answer instead.
  const isTool = protocol === 'messages' && Array.isArray(body['tools']);
  response.end(JSON.stringify(isTool ? { ...written, ...calling(body['tools'], reply) } : written));
}

function calling(tools: unknown, { text }: Said): object {
  const [{ name }] = tools as [{ name: string }];
  return { content: [{ type: 'tool_use', id: 'tool_1', name, input: JSON.parse(text) }], stop_reason: 'tool_use' };
}

type Said = Extract<ModelReply, { text: string }>;

const WRITERS: Record<Protocol, (reply: Said) => object> = {
  chat: ({ text, stop = 'stop', input = 1000, output = 100 }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message:
          stop === 'refusal'
            ? { role: 'assistant', content: null, refusal: text }
            : { role: 'assistant', content: text },
        finish_reason: stop === 'refusal' ? 'content_filter' : stop,
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }),
  responses: ({ text, stop = 'stop', input = 1000, output = 100 }) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    model: 'scripted',
    status: stop === 'length' ? 'incomplete' : 'completed',
    incomplete_details: stop === 'length' ? { reason: 'max_output_tokens' } : null,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          stop === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] },
        ],
      },
    ],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  }),
  messages: ({ text, stop = 'stop', input = 1000, output = 100 }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: stop === 'refusal' ? [] : [{ type: 'text', text }],
    stop_reason: { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[stop],
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }),
};
