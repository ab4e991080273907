import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { releaseMemory } from '../lib/release-memory.ts';

/**
 * Sends a stream as the body of a reply whose status and headers are set, and resolves when it is through.
 * The memory of each chunk is given back as soon as the kernel has it, so the chunks must be for this reply alone.
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
    // While one chunk is on its way, the stream reads the next.
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
    // The status is out already: breaking off is all that is left to tell of a mistake.
    if (!res.destroyed) reply.log.error({ err }, 'a stream broke off');
    res.destroy();
  }
}

/** Sends bytes that are for this reply alone, and gives their memory back as soon as the kernel has them. */
export function sendBytes(reply: FastifyReply, bytes: Buffer): void {
  reply.raw.once('finish', () => releaseMemory(bytes));
  reply.send(bytes);
}
