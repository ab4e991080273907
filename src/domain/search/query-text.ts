/** A search text in the syntax of `websearch_to_tsquery`, and what stands in it for something that this syntax lacks. */
export type QueryText = {
  text: string;
  /** Beginnings of words, folded; `zz9p1` in the text stands for the first. */
  prefixes: string[];
  /** What was asked for in scripts without spaces. */
  runs: string[];
  /** Words in other scripts, folded. */
  words: string[];
};

/** As in search_spaced: Thai, Lao, Burmese, Khmer, Japanese, Chinese. */
const unspaced =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff';
const unspacedRun = new RegExp(`(-?)([${unspaced}]+)\\**`, 'gu');
const beginning = /([^\s"]*?)([\p{L}\p{N}]+)\*+/gu;
const prefixLengthMin = 2;
/** One character of a script without spaces says as much as a word. */
const tooShort = new RegExp(`(?<![\\p{L}\\p{N}])[^\\s${unspaced}]\\*`, 'u');

/** Whether some `x*` would find nearly everything. */
export function isTooShort(q: string): boolean {
  const found = tooShort.exec(q);
  return found !== null && /^[\p{L}\p{N}]/u.test(found[0]);
}

export function readQueryText(q: string): QueryText {
  const prefixes: string[] = [];
  const runs: string[] = [];
  const standIn = (prefix: string): string => `zz9p${prefixes.push(prefix)}`;

  const readRun = (isQuoted: boolean) => (_all: string, minus: string, run: string) => {
    runs.push(run);
    const characters = [...run];
    const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
    if (pairs.length === 0) return ` ${minus}${standIn(run)} `;
    return isQuoted ? ` ${pairs.join(' ')} ` : ` ${minus}"${pairs.join(' ')}" `;
  };
  const readBeginning = (all: string, before: string, word: string) => {
    if (word.length < prefixLengthMin) return all;
    const lead = before === '' || before === '-' ? before : `${before.replace(/[^\p{L}\p{N}]+$/u, '')} `;
    return `${lead}${standIn(folded(word).toLowerCase())}`;
  };

  const parts = withoutDashes(q.normalize('NFC')).split('"');
  const text = parts
    .map((part, index) => part.replace(unspacedRun, readRun(index % 2 === 1)).replace(beginning, readBeginning))
    .join('"');
  const words = text.match(/(?<![-\p{L}\p{N}])[\p{L}\p{N}]+/gu) ?? [];
  return { text, prefixes, runs, words: words.map((word) => folded(word).toLowerCase()) };
}

const replaced: Record<string, string> = Object.fromEntries(
  [...'øØłŁđĐħĦŧŦıёЁ'].map((letter, index) => [letter, 'oOlLdDhHtTiеЕ'[index] ?? '']),
);

/** As search_folded: Latin letters without their marks. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([A-Za-z])[\u0300-\u036f]+/g, '$1')
    .normalize('NFC')
    .replace(/[øØłŁđĐħĦŧŦıёЁ]/g, (letter) => replaced[letter] ?? letter);
}

/**
 * Repeated minuses exclude nothing; they are a dash. Postgres would read each as the negation of the next one, and
 * gives up if there are too many.
 */
function withoutDashes(q: string): string {
  return q.replaceAll(/-(?:[^\p{L}\p{N}"]*-)+/gu, ' ');
}
