import { PLACES, type FeatureSink } from './feature-list.ts';
import { mix } from './hashing.ts';
import { LABELS } from './labels.ts';
import { addRow, type RowTable, type Target } from './row-table.ts';

const SIZE: number = LABELS.length;

/** Adds the weights of features to the sums of one token. */
export class RowAdder implements FeatureSink {
  readonly #table: RowTable;
  readonly target: Target;

  constructor(table: RowTable, sums: Target['sums']) {
    this.#table = table;
    this.target = { sums, own: 0 };
  }

  add(template: number, first: number, second = 0): void {
    addRow(this.#table, mix(template, first, second) & (PLACES - 1), this.target);
  }
}

type Add<T> = (sink: FeatureSink, item: T) => void;

/** The sums of features that were made before, by a key; a new one takes the place of another. */
export class KeptSums<T> {
  readonly #add: Add<T>;
  readonly #keys: Int32Array;
  readonly #sums: Int16Array;
  readonly #adder: RowAdder;

  /** `slots` is a power of two. */
  constructor(table: RowTable, add: Add<T>, slots: number) {
    this.#add = add;
    this.#keys = new Int32Array(slots).fill(-1);
    this.#sums = new Int16Array(slots * SIZE);
    this.#adder = new RowAdder(table, this.#sums);
  }

  /** Adds the weights of what `item` tells, of which `key` is another for each, from `own` on. */
  addTo(sums: Int32Array, own: number, key: number, item: T): void {
    const value = Math.imul(key ^ (key >>> 15), 0x2c_1b_3c_6d);
    const slot = (value ^ (value >>> 13)) & (this.#keys.length - 1);
    const kept = this.#sums;
    const from = slot * SIZE;
    if (this.#keys[slot] !== key) {
      this.#keys[slot] = key;
      kept.fill(0, from, from + SIZE);
      this.#adder.target.own = from;
      this.#add(this.#adder, item);
    }
    for (let label = 0; label < SIZE; label += 1) {
      sums[own + label] = (sums[own + label] ?? 0) + (kept[from + label] ?? 0);
    }
  }
}
