import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export type HostedFile = { content: Buffer; etag?: string };

/** A server that gives out files as hosts of models do, and misbehaves when told to. */
export class ModelHost {
  readonly files = new Map<string, HostedFile>();
  /** Ranges asked for, one entry a request; undefined where none was. */
  readonly ranges: (string | undefined)[] = [];
  /** The next answers end after so many bytes of content, one entry each. */
  breaks: number[] = [];
  /** The next answers have this status and nothing else. */
  refusals: number[] = [];
  knowsRanges = true;
  /** No answer begins before this. */
  held: Promise<void> = Promise.resolve();
  readonly #server = createServer((req, res) => void this.held.then(() => this.#answer(req, res)));

  static async open(): Promise<ModelHost> {
    const host = new ModelHost();
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    this.ranges.push(req.headers.range);
    const refusal = this.refusals.shift();
    const file = this.files.get(req.url ?? '');
    if (refusal !== undefined || !file) return void res.writeHead(refusal ?? 404).end();
    const isSame = req.headers['if-range'] === undefined || req.headers['if-range'] === file.etag;
    const from = this.knowsRanges && isSame ? Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0) : 0;
    const size = file.content.length;
    const body = file.content.subarray(from);
    res.writeHead(from > 0 ? 206 : 200, {
      'content-length': body.length,
      ...(file.etag && { etag: file.etag }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
    });
    const breakAt = this.breaks.shift();
    if (breakAt === undefined) return void res.end(body);
    res.write(body.subarray(0, breakAt), () => setTimeout(() => res.destroy(), 50));
  }
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
