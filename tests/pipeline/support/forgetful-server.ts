import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type TakenEvent = { id: string; name: string; data: Record<string, unknown> };
export type ForgetfulServer = { url: string; taken: TakenEvent[]; close(): Promise<void> };

/** Speaks the event API of an Inngest server: says that it has taken what it is sent, and does nothing about it. */
export async function startForgetfulServer(): Promise<ForgetfulServer> {
  const taken: TakenEvent[] = [];
  const server = createServer(async (request, response) => {
    const events = (await json(request)) as TakenEvent[];
    taken.push(...events);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ids: events.map(({ id }) => id), status: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
