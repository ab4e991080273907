/** Weights of the acts of one party as they are kept: side by side for each place, the last row is the bias. */
export type PackedActs = { scales: readonly number[]; values: string };

/** Of suspicion half a byte a weight, side by side for each place: which of the levels of its accusation it is. */
export type PackedSuspicions = { bias: readonly number[]; levels: readonly (readonly number[])[]; values: string };
