const RULES: [string, string][] = [
  ['tch', 'j'],
  ['dge', 'j'],
  ['sch', 'sk'],
  ['igh', 'i'],
  ['ough', 'o'],
  ['augh', 'o'],
  ['ph', 'f'],
  ['gh', ''],
  ['kn', 'n'],
  ['wr', 'r'],
  ['wh', 'w'],
  ['ck', 'k'],
  ['qu', 'kw'],
  ['ch', 'j'],
  ['sh', 'x'],
  ['th', '0'],
  ['ce', 's'],
  ['ci', 's'],
  ['cy', 's'],
  ['ge', 'j'],
  ['gi', 'j'],
];

/**
 * A rough sound key: the consonants of an English word in order, with voiced and unvoiced pairs kept apart. Words with
 * the same key are easily confused by a recogniser ("book", "back"). Similar to Metaphone.
 */
export function soundKey(word: string): string {
  let key = '';
  for (let at = 0; at < word.length;) {
    const rule = RULES.find(([from]) => word.startsWith(from, at));
    const sound = rule ? rule[1] : single(word[at] ?? '', at);
    if (sound !== key.at(-1)) key += sound;
    at += rule ? rule[0].length : 1;
  }
  return key;
}

function single(letter: string, at: number): string {
  if ('aeiouy'.includes(letter)) return at === 0 ? 'a' : '';
  if (letter === 'h') return at === 0 ? 'h' : '';
  if (letter === 'c' || letter === 'q') return 'k';
  if (letter === 'z') return 's';
  if (letter === 'x') return 'ks';
  return letter;
}

/** Whether two words differ by at most one inserted, deleted or replaced letter. Linear in their length. */
export function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}
