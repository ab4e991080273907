import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Received = {
  path: string;
  /** As libraries for Standard Webhooks take them. */
  headers: Record<string, string>;
  /** To the byte. */
  body: string;
  at: number;
};

export type Receiver = {
  url(path: string): string;
  readonly received: Received[];
  /** Those of one path, in the order in which they came. */
  at(path: string): Received[];
  close(): Promise<void>;
};

type Answer = (res: ServerResponse, request: Received, hit: number) => void;

/** Stands where a customer takes events. Answers 204 unless told otherwise; `hit` counts the requests of a path from 1. */
export async function startReceiver(answer: Answer = (res) => void res.writeHead(204).end()): Promise<Receiver> {
  const received: Received[] = [];
  const byPath = new Map<string, Received[]>();
  const at = (path: string): Received[] => byPath.get(path) ?? [];
  const server = createServer((req, res) => {
    void read(req).then((request) => {
      received.push(request);
      const same = at(request.path);
      same.push(request);
      byPath.set(request.path, same);
      answer(res, request, same.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    at,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(req: IncomingMessage): Promise<Received> {
  const at = Date.now();
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  return { path: req.url ?? '', headers, body: (await buffer(req)).toString(), at };
}
