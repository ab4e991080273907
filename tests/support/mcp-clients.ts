import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Both major versions of the official client: the old one knows revisions up to 2025-11-25, the new one later ones. */
export type Assistant = {
  listTools(): Promise<ListedTool[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  instructions(): string | undefined;
  /** Of the protocol, as agreed with the server. */
  revision: string | undefined;
  close(): Promise<void>;
};

export type ListedTool = {
  name: string;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: { title?: string | undefined; readOnlyHint?: boolean | undefined } | undefined;
};

/** Structured content is untyped: tests say what they expect of it. */
export type ToolAnswer = { isError: boolean; text: string; content: ReturnType<typeof JSON.parse> };

export const clientVersions = ['1', '2'] as const;
export type ClientVersion = (typeof clientVersions)[number];

type Connection = { url: string; headers: Record<string, string> };

export async function connectAssistant(version: ClientVersion, { url, headers }: Connection): Promise<Assistant> {
  const info = { name: 'test', version: '1.0.0' };
  const options = { requestInit: { headers } };
  if (version === '1') {
    const client = new OldClient(info);
    const transport = new OldTransport(new URL(url), options);
    await client.connect(transport as Parameters<OldClient['connect']>[0]);
    return wrap(client, transport.protocolVersion);
  }
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new NewTransport(new URL(url), options));
  return wrap(client, client.getNegotiatedProtocolVersion());
}

type Either = {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
};

function wrap(client: Either, revision: string | undefined): Assistant {
  return {
    revision,
    listTools: async () => (await client.listTools()).tools,
    async call(name, given = {}) {
      const answer = (await client.callTool({ name, arguments: given })) as {
        isError?: boolean;
        content: { text: string }[];
        structuredContent?: ToolAnswer['content'];
      };
      const text = answer.content.map((part) => part.text).join('\n');
      return { isError: answer.isError ?? false, text, content: answer.structuredContent };
    },
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}
