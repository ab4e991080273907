/** Whether two names differ in nothing but case, `_` and `-`, or in one letter (or two that changed places). */
export function isNearly(name: string, known: string): boolean {
  const [given, meant] = [plain(name), plain(known)];
  return given === meant || isWithin(1, given, meant);
}

/** The known name that was probably meant; undefined where none is like it. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = plain(name);
  // A third of a name may be wrong: beyond that, another one was meant, or none.
  const tolerance = Math.min(3, Math.floor(given.length / 3));
  let nearest: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(given, plain(candidate), tolerance);
    if (distance <= tolerance && (!nearest || distance < nearest.distance)) nearest = { name: candidate, distance };
  }
  return nearest?.name;
}

/** What to tell of a name that is not known, whatever kind of thing it names. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return `Unknown ${what} \`${shown(name)}\`.${nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`}`;
}

const shownLengthMax = 100;

function shown(name: string): string {
  return name.length > shownLengthMax ? `${name.slice(0, shownLengthMax)}…` : name;
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

function isWithin(limit: number, left: string, right: string): boolean {
  return editDistance(left, right, limit) <= limit;
}

/** Letters added, left out, replaced or swapped with the next one (optimal string alignment). Above `limit`, any number above it. */
function editDistance(left: string, right: string, limit: number): number {
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
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
