/** Names of features are hashed into this many places. */
export const PLACES = 1 << 15;

/** Suspicion tells more names apart: what is rare says most there. */
export const WIDE_PLACES = 1 << 16;

/** Where the weights of features are, and how much each counts. */
export type Placed = { places: Uint16Array; values: Float32Array };
/** The features of one utterance, and among more places those that say nothing of where in the call it stands. */
export type Features = Placed & { anywhere: Placed };

/** Words are many and share their say, by group; forms and set phrases are few, and each has one of its own. */
export class FeatureList {
  readonly #words = new Set<number>();
  readonly #edges = new Set<number>();
  readonly #placed = new Set<number>();
  readonly #clauses = new Set<number>();
  readonly #context = new Set<number>();
  readonly #meanings = new Set<number>();
  readonly #meant = new Set<number>();
  readonly #forms = new Set<number>();
  readonly #wide = {
    words: new Set<number>(),
    clauses: new Set<number>(),
    context: new Set<number>(),
    forms: new Set<number>(),
  };

  addWord(name: string): void {
    const place = hash(name);
    this.#words.add(place % PLACES);
    this.#wide.words.add(place % WIDE_PLACES);
  }

  addEdge(name: string): void {
    this.#edges.add(hash(name) % PLACES);
  }

  addPlaced(name: string): void {
    this.#placed.add(hash(name) % PLACES);
  }

  addClause(name: string): void {
    const place = hash(name);
    this.#clauses.add(place % PLACES);
    this.#wide.clauses.add(place % WIDE_PLACES);
  }

  addMeaning(hashed: number): void {
    this.#meanings.add(hashed % PLACES);
  }

  addMeantNear(hashed: number): void {
    this.#meant.add(hashed % PLACES);
  }

  addContext(name: string): void {
    const place = hash(name);
    this.#context.add(place % PLACES);
    this.#wide.context.add(place % WIDE_PLACES);
  }

  add(name: string): void {
    const place = hash(name);
    this.#forms.add(place % PLACES);
    this.#wide.forms.add(place % WIDE_PLACES);
  }

  build(): Features {
    const words = WORDS_SHARE / Math.sqrt(Math.max(1, this.#words.size + this.#edges.size));
    const groups: (readonly [Set<number>, number])[] = [
      [this.#words, words],
      [this.#clauses, CLAUSES_SHARE / Math.sqrt(Math.max(1, this.#clauses.size))],
      [this.#context, CONTEXT_SHARE / Math.sqrt(Math.max(1, this.#context.size))],
      [this.#meanings, MEANINGS_SHARE / Math.sqrt(Math.max(1, this.#meanings.size))],
      [this.#meant, CONTEXT_SHARE / Math.sqrt(Math.max(1, this.#meant.size))],
      [this.#forms, FORM_SHARE],
      [this.#edges, words],
      [this.#placed, FORM_SHARE],
    ];
    return { ...placed(groups), anywhere: this.#anywhere() };
  }

  /** What is said around an utterance tells more of an accusation than how long it is. */
  #anywhere(): Placed {
    const { words, clauses, context, forms } = this.#wide;
    return placed([
      [words, WORDS_SHARE / Math.sqrt(Math.max(1, words.size))],
      [clauses, CLAUSES_SHARE / Math.sqrt(Math.max(1, clauses.size))],
      [context, (2 * CONTEXT_SHARE) / Math.sqrt(Math.max(1, context.size))],
      [forms, FORM_SHARE / 2],
    ]);
  }
}

function placed(groups: readonly (readonly [Set<number>, number])[]): Placed {
  const length = groups.reduce((sum, [names]) => sum + names.size, 0);
  const places = new Uint16Array(length);
  const values = new Float32Array(length);
  let at = 0;
  for (const [names, share] of groups) {
    values.fill(share, at, at + names.size);
    for (const name of names) {
      places[at] = name;
      at += 1;
    }
  }
  return { places, values };
}

const WORDS_SHARE = 2;
const CLAUSES_SHARE = 1;
const MEANINGS_SHARE = 2;
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
