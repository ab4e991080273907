/** Names of features are hashed into this many places. */
export const PLACES = 1 << 14;

/**
 * The features of one utterance: where their weights are, and how much each counts. The first `anywhere` of them say nothing of the place in
 * the call.
 */
export type Features = { places: Uint16Array; values: Float32Array; anywhere: number };

/** Words are many and share their say, by group; forms and set phrases are few, and each has one of its own. */
export class FeatureList {
  readonly #words = new Set<number>();
  readonly #edges = new Set<number>();
  readonly #placed = new Set<number>();
  readonly #clauses = new Set<number>();
  readonly #context = new Set<number>();
  readonly #forms = new Set<number>();

  addWord(name: string): void {
    this.#words.add(hash(name) % PLACES);
  }

  addEdge(name: string): void {
    this.#edges.add(hash(name) % PLACES);
  }

  addPlaced(name: string): void {
    this.#placed.add(hash(name) % PLACES);
  }

  addClause(name: string): void {
    this.#clauses.add(hash(name) % PLACES);
  }

  addContext(name: string): void {
    this.#context.add(hash(name) % PLACES);
  }

  add(name: string): void {
    this.#forms.add(hash(name) % PLACES);
  }

  build(): Features {
    const words = WORDS_SHARE / Math.sqrt(Math.max(1, this.#words.size + this.#edges.size));
    const groups: [Set<number>, number][] = [
      [this.#words, words],
      [this.#clauses, CLAUSES_SHARE / Math.sqrt(Math.max(1, this.#clauses.size))],
      [this.#context, CONTEXT_SHARE / Math.sqrt(Math.max(1, this.#context.size))],
      [this.#forms, FORM_SHARE],
      [this.#edges, words],
      [this.#placed, FORM_SHARE],
    ];
    const places = groups.flatMap(([names]) => [...names]);
    const values = groups.flatMap(([names, share]) => Array.from(names, () => share));
    const anywhere = places.length - this.#edges.size - this.#placed.size;
    return { places: Uint16Array.from(places), values: Float32Array.from(values), anywhere };
  }
}

const WORDS_SHARE = 2;
const CLAUSES_SHARE = 1;
const CONTEXT_SHARE = 1;
const FORM_SHARE = 0.5;

/** FNV-1a over the UTF-16 units. */
export function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c_1b_3c_6d);
  return (value ^ (value >>> 12)) >>> 0;
}
