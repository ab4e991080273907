/** Shares that sum to 1, one for each row of weights. */
export function softmax(weights: readonly ArrayLike<number>[], inputs: ArrayLike<number>): number[] {
  const sums = weights.map((row) => {
    let sum = 0;
    for (let at = 0; at < inputs.length; at += 1) sum += (inputs[at] ?? 0) * (row[at] ?? 0);
    return sum;
  });
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}
