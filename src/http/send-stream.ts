import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a stream as the body of a reply whose status and headers are set, and resolves when it is through.
 * The memory of each chunk is given back as soon as the kernel has it: left to the garbage collector, the buffers of a
 * few megabytes cost more time than everything else. So the chunks must be for this reply alone.
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
          release(chunk);
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

/** Chunks that are a part of a larger piece of memory may have neighbours in use. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
