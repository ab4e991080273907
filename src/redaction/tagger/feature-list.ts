import { mix } from './hashing.ts';

/** Names of features are hashed into this many places. */
export const PLACES: number = 1 << 20;

/**
 * The features of tokens in order: those of token `n` are `places[starts[n] … starts[n + 1])`, and with them those that its turn
 * gives to all tokens of its family, `shared[family]`.
 */
export type Features = {
  places: Int32Array;
  starts: Uint32Array;
  families: Uint8Array;
  shared: readonly (readonly number[])[];
};

const featuresMax = 130;
/** Used again for each turn, for as long as it does. */
let scratch = new Int32Array(64 * featuresMax);

/** Collects the features of one turn, token by token. */
export class FeatureListBuilder {
  readonly #places: Int32Array;
  readonly #starts: Uint32Array;
  #length = 0;
  #token = 0;

  constructor(tokens: number) {
    if (scratch.length < tokens * featuresMax) scratch = new Int32Array(tokens * featuresMax);
    this.#places = scratch;
    this.#starts = new Uint32Array(tokens + 1);
  }

  add(template: number, first: number, second = 0): void {
    this.#places[this.#length] = mix(template, first, second) & (PLACES - 1);
    this.#length += 1;
  }

  next(): void {
    this.#token += 1;
    this.#starts[this.#token] = this.#length;
  }

  build(): Pick<Features, 'places' | 'starts'> {
    return { places: this.#places.slice(0, this.#length), starts: this.#starts };
  }
}
