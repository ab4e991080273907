const LETTERS_WITH_MARKS = /([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])(\p{M}+)/gu;
const BREVE = '\u0306';

/**
 * Folds a lower-case word to what recognisers and hurried writers write: `días` → `dias`, `größer` → `grosser`, `ещё` →
 * `еще`. The Russian `й` is a letter of its own and stays; scripts whose marks are vowels are left alone.
 */
export function foldWord(word: string): string {
  if (isPlain(word)) return word;
  return word
    .normalize('NFD')
    .replace(LETTERS_WITH_MARKS, (_, letter: string, marks: string) =>
      letter === 'и' && marks.includes(BREVE) ? letter + BREVE : letter,
    )
    .normalize('NFC')
    .replace(/ß/gu, 'ss');
}

/** The folded spelling without umlauts: `größe` → `groesse`. Words without umlauts are returned unchanged. */
export function foldUmlauts(word: string): string {
  return foldWord(word.normalize('NFC').replace(/[äöü]/gu, (letter) => DIGRAPHS[letter] ?? letter));
}

const DIGRAPHS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) > 127) return false;
  return true;
}
