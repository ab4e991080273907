/** Weights of the acts of one party as they are kept: side by side for each place, the last row is the bias. */
export type PackedActs = { scales: readonly number[]; values: string };
