import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client of the protocol. */
export type Assistant = {
  listTools(): Promise<ListedTool[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  instructions(): string | undefined;
  /** Of the protocol, as agreed with the server. */
  revision: string | undefined;
  close(): Promise<void>;
};

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** Structured content is untyped: tests say what they expect of it. */
export type ToolAnswer = { isError: boolean; text: string; content: ReturnType<typeof JSON.parse> };

/** `legacy` begins with a handshake, as most assistants do (up to 2025-11-25); `modern` has none (from 2026-07-28). */
export const clientEras = ['legacy', 'modern'] as const;
export type ClientEra = (typeof clientEras)[number];

type Connection = { url: string; headers: Record<string, string> };

export async function connectAssistant(era: ClientEra, { url, headers }: Connection): Promise<Assistant> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    async call(name, given = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: given });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { isError, text, content: structuredContent };
    },
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}
