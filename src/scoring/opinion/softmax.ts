/** Shares that sum to 1, one for each row of weights. */
export function softmax(weights: readonly ArrayLike<number>[], inputs: readonly number[]): number[] {
  const sums = weights.map((row) => inputs.reduce((sum, value, at) => sum + value * (row[at] ?? 0), 0));
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}
