import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type ReceivedRequest = {
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Fields of a multipart body; files as `name (size)`. */
  fields: [name: string, value: string][];
};

export type Reply = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

export type SpeechServer = { baseUrl: string; received: ReceivedRequest[] };

/** A server on this machine that stands in for a provider at its wire. It closes when the test ends. */
export async function speechServer(reply: Reply): Promise<SpeechServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(message.url ?? '/', 'http://127.0.0.1');
    const request = { url, headers: message.headers, body, fields: await readFields(message, body) };
    received.push(request);
    reply(request, response, received.length);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

async function readFields(message: IncomingMessage, body: Buffer): Promise<[string, string][]> {
  const type = message.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return [];
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} (${value.size})`]);
}
