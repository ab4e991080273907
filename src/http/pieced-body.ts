import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Shorter texts take only a few milliseconds. */
const piecedMin = 1_000_000;
const bytesOfTurn = 500_000;

/**
 * A text as the body of an answer. A long one stays in pieces, so that other requests get their turn while it is sent.
 */
export function bodyOf(pieces: readonly string[]): string | PiecedBody {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return length < piecedMin ? pieces.join('') : new PiecedBody(pieces);
}

/** Megabytes of text that are never joined: encoded, hashed and sent piece by piece. */
export class PiecedBody extends Readable {
  readonly #pieces: readonly string[];
  #encoded: Buffer[] = [];
  #next = 0;

  constructor(pieces: readonly string[]) {
    super();
    this.#pieces = pieces;
  }

  /** Call once, before reading. */
  async encode(): Promise<{ digest: string; byteLength: number }> {
    const hash = createHash('sha256');
    let byteLength = 0;
    let sinceTurn = 0;
    for (const piece of this.#pieces) {
      const bytes = Buffer.from(piece);
      hash.update(bytes);
      this.#encoded.push(bytes);
      byteLength += bytes.length;
      sinceTurn += bytes.length;
      if (sinceTurn < bytesOfTurn) continue;
      await turn();
      sinceTurn = 0;
    }
    return { digest: hash.digest('base64url'), byteLength };
  }

  override _read(): void {
    this.push(this.#encoded[this.#next] ?? null);
    this.#next += 1;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#encoded = [];
    done(error);
  }
}
