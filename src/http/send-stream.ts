import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { releaseMemory } from '../lib/release-memory.ts';

/**
 * Sends a stream as the body of a reply whose status and headers are set, and resolves at the end. Each chunk's memory
 * is released once the kernel has it, so the chunks must belong to this reply alone.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  reply.hijack();
  const res = reply.raw;
  let wake = () => {};
  res.once('close', () => {
    stream.destroy();
    wake();
  });
  res.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) res.setHeader(name, value);
  }
  try {
    // The stream reads the next chunk while one is being sent.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        res.write(chunk, () => {
          releaseMemory(chunk);
          resolve();
        });
      });
    }
    res.end();
  } catch (err) {
    // The status has been sent already: all that is left is to break off.
    if (!res.destroyed) reply.log.error({ err }, 'a stream broke off');
    res.destroy();
  }
}

/** Sends bytes that belong to this reply alone, and releases their memory once the kernel has them. */
export function sendBytes(reply: FastifyReply, bytes: Buffer): void {
  reply.raw.once('finish', () => releaseMemory(bytes));
  reply.send(bytes);
}
