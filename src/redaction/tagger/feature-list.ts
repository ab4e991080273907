import { mix } from './hashing.ts';

/** Names of features are hashed into this many places. */
export const PLACES: number = 1 << 20;

/** Takes features, one at a time. The first number of each is its template: weights go by it. */
export type FeatureSink = { add: (template: number, first: number, second?: number) => void };

/** The features of tokens in order: those of token `n` are `places[starts[n] … starts[n + 1])`. */
export type Features = { places: Int32Array; starts: Uint32Array };

/** Collects the features of one turn, token by token. */
export class FeatureListBuilder implements FeatureSink {
  readonly #places: number[] = [];
  readonly #starts: number[] = [0];

  add(template: number, first: number, second = 0): void {
    this.#places.push(mix(template, first, second) & (PLACES - 1));
  }

  next(): void {
    this.#starts.push(this.#places.length);
  }

  build(): Features {
    return { places: Int32Array.from(this.#places), starts: Uint32Array.from(this.#starts) };
  }
}
