/** The weights of features: each place that has any has a row of them. */
export type RowTable = {
  /** For each 32 places: a bit for each that has weights, and how many places before them have: the number of its row. */
  index: Int32Array;
  /** Row `n` is `weights[rows[n] … rows[n + 1])`: the label times 256, and a byte that is its weight. */
  rows: Int32Array;
  weights: Int16Array;
};

/** A number for each label, from `own` on. */
export type Target = { sums: Int32Array | Int16Array; own: number };

/** Adds the weights of a place. */
export function addRow({ index, rows, weights }: RowTable, place: number, { sums, own }: Target): void {
  const at = (place >> 5) * 2;
  const bits = index[at] ?? 0;
  if (((bits >> (place & 31)) & 1) === 0) return;
  const row = (index[at + 1] ?? 0) + countBits(bits & ((1 << (place & 31)) - 1));
  const last = rows[row + 1] ?? 0;
  for (let each = rows[row] ?? 0; each < last; each += 1) {
    const weight = weights[each] ?? 0;
    const sum = own + (weight >> 8);
    sums[sum] = (sums[sum] ?? 0) + ((weight << 24) >> 24);
  }
}

export function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55_55_55_55);
  count = (count & 0x33_33_33_33) + ((count >>> 2) & 0x33_33_33_33);
  return Math.imul((count + (count >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}
