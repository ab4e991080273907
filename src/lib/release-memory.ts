/**
 * Gives the memory of a chunk that nobody looks at again back at once; the chunk is empty afterwards. In a process with a
 * heap of some size the collector otherwise spends more time on large bodies than everything else does together.
 * A chunk that is only a part of its memory is left alone, since what lies beside it may be in use.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
