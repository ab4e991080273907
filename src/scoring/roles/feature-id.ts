const BASIS = 2_166_136_261;
const PRIME = 16_777_619;

/** A name or a word as a number of 32 bits (FNV-1a): features are compared millions of times in a long call. */
export function hashOf(text: string): number {
  let hash = BASIS;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return mixed(hash);
}

/** The number of two things in this order. */
export function joined(first: number, second: number): number {
  return mixed((Math.imul(first, 31) + second) | 0);
}

/** Never 0, which stands for an empty place in a table. The steps are those that end MurmurHash3. */
function mixed(given: number): number {
  let hash = given;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}

const ids = new Map<string, number>();

/** Names are few: kept with their numbers. */
export function featureId(name: string): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  const hash = hashOf(name);
  ids.set(name, hash);
  return hash;
}
