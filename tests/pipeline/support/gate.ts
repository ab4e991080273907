import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const attemptsMax = 100;
const pauseMs = 100;

export type Gate = { port: number; shut(): Promise<void>; open(): Promise<void> };

/** A way to a server that can be shut: what is under way breaks off, and nobody gets through until it is opened again. */
export async function openGate(target: { host: string; port: number }): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    open: () => again(() => listen(port)),
    async shut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Another program may have been lent the port meanwhile, for a connection of its own. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    try {
      return await work();
    } catch {
      await sleep(pauseMs);
    }
  }
  return work();
}
