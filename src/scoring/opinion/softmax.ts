/** Shares that sum to 1, one for each row of weights. */
export function softmax(weights: readonly ArrayLike<number>[], inputs: ArrayLike<number>): number[] {
  return sharesOf(
    weights.map((row) => {
      let sum = 0;
      for (let at = 0; at < inputs.length; at += 1) sum += (inputs[at] ?? 0) * (row[at] ?? 0);
      return sum;
    }),
  );
}

/** Of log-odds that are known but for a constant. */
export function sharesOf(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** What two readers say together: the mean of their log-odds. */
export function together(some: readonly number[], others: readonly number[]): number[] {
  return sharesOf(some.map((share, at) => (Math.log(share + LEAST) + Math.log((others[at] ?? 0) + LEAST)) / 2));
}

const LEAST = 1e-9;
