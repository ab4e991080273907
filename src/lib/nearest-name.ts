import { editDistance } from './edit-distance.ts';

/** Whether two names differ only in case, `_` and `-`, or in one letter (or two swapped ones). */
export function isNearly(name: string, known: string): boolean {
  const [given, meant] = [plain(name), plain(known)];
  return given === meant || isWithin(1, given, meant);
}

/**
 * The known name that was probably meant; undefined if none is similar. One in `lettersPerMistake` letters may differ;
 * with more differences it is a different name.
 */
export function nearestName(name: string, known: readonly string[], lettersPerMistake: number = 3): string | undefined {
  const given = plain(name);
  const tolerance = Math.min(3, Math.floor(given.length / lettersPerMistake));
  let nearest: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(given, plain(candidate), tolerance);
    if (distance <= tolerance && (!nearest || distance < nearest.distance)) nearest = { name: candidate, distance };
  }
  return nearest?.name;
}

/** The message for an unknown name, whatever it names. */
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
