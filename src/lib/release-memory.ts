/**
 * Returns the memory of a chunk that is no longer needed at once; the chunk is empty afterwards. With a larger heap,
 * the garbage collector would otherwise spend more time on large bodies than everything else takes. A chunk that is
 * part of a larger buffer is left alone, since the rest may be in use.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
