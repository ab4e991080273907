/**
 * Number of letters added, removed, replaced or swapped with the next one (optimal string alignment). Above `limit`,
 * the result is any larger number.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      const replaced = (last[column - 1] ?? Infinity) + (isSame ? 0 : 1);
      current.push(Math.min((last[column] ?? Infinity) + 1, (current[column - 1] ?? Infinity) + 1, replaced, swap));
    }
    // No later row can fall below this row's minimum.
    if (Math.min(...current) > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
