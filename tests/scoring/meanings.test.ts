import { describe, expect, it } from 'vitest';
import { ENGLISH_MEANINGS } from '../../src/scoring/lexicon/meanings/english.ts';
import { GERMAN_MEANINGS } from '../../src/scoring/lexicon/meanings/german.ts';
import { MEANINGS, meaningsOf } from '../../src/scoring/lexicon/meanings/meanings.ts';
import { RUSSIAN_MEANINGS } from '../../src/scoring/lexicon/meanings/russian.ts';
import { SPANISH_MEANINGS } from '../../src/scoring/lexicon/meanings/spanish.ts';
import { READ_LANGUAGES } from '../../src/scoring/languages/language.ts';

const LEXICONS = [ENGLISH_MEANINGS, GERMAN_MEANINGS, SPANISH_MEANINGS, RUSSIAN_MEANINGS].map((written) =>
  written
    .trim()
    .split('\n')
    .map((line) => line.split(': ')),
);

const namesOf = (...of: Parameters<typeof meaningsOf>): string[] =>
  meaningsOf(...of).map((meaning) => MEANINGS[meaning] ?? '');

describe('what words mean', () => {
  it('has the same names in each language, and words for each', () => {
    const [first] = LEXICONS;
    for (const lexicon of LEXICONS) {
      expect(lexicon.map(([name]) => name)).toEqual(first?.map(([name]) => name));
      for (const [name, words] of lexicon) expect(`${name ?? ''} ${words ?? ''}`).toMatch(/^\w+(?: [^\s:]+){15,}$/u);
    }
  });

  it.each([
    ['en', 'booked'],
    ['de', 'gebucht'],
    ['es', 'reservado'],
    ['ru', 'забронировала'],
  ] as const)('is the same, whatever the language: %s %s', (language, word) => {
    expect(namesOf(word, language)).toContain('book_done');
  });

  it('is known of whole words before their beginnings, and of figures by themselves', () => {
    expect(namesOf('departmental', 'en')).toEqual(['department']);
    expect(namesOf('4711', 'ru')).toEqual(['figure']);
    for (const language of READ_LANGUAGES) expect(namesOf('xyzzy', language)).toEqual([]);
  });
});
