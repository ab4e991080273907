import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What the service is measured against: a body goes into a file as it is, a range comes out of it. Nothing else. */
const directory = await mkdtemp(path.join(tmpdir(), 'earshot-bare-'));
let count = 0;

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const name = String((count += 1));
  await pipeline(req, createWriteStream(path.join(directory, name)));
  res.end(name);
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const file = path.join(directory, req.url?.slice(1) ?? '');
  const { size } = await stat(file);
  const [, first = '0', last = String(size - 1)] = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Number(last)];
  res.writeHead(206, { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${size}` });
  await pipeline(createReadStream(file, { start, end }), res);
}

const server = createServer((req, res) => {
  const done = req.method === 'POST' ? receive(req, res) : req.method === 'DELETE' ? clear(res) : serve(req, res);
  done.catch(() => res.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` })}\n`);
});

async function clear(res: ServerResponse): Promise<void> {
  for (let name = 1; name <= count; name += 1) await rm(path.join(directory, String(name)), { force: true });
  res.end();
}

process.stdin.resume();
process.stdin.once('end', () => {
  server.closeAllConnections();
  server.close();
  void rm(directory, { recursive: true, force: true });
});
