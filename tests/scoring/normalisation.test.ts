import { describe, expect, it } from 'vitest';
import { compilePhrases } from '../../src/model/text/compile-phrases.ts';
import { findPhrases } from '../../src/scoring/text/phrases.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { readNumbers } from '../../src/scoring/text/numbers.ts';
import { processorMsOf } from '../support/processor-time.ts';

const read = createTokenReader();
const isFound = (phrase: string, text: string): boolean => findPhrases(read(text), compilePhrases([phrase])).length > 0;

describe('words', () => {
  it.each([
    ['Größe', ['grosse']],
    ['GRO\u0308SSE', ['grosse']],
    ['días', ['dias']],
    ['señor', ['senor']],
    ['ещё', ['еще']],
    ['Мой йогурт', ['мой', 'йогурт']],
    ['за\u0301мок', ['замок']],
    ['café', ['cafe']],
    ['हिन्दी', ['हिन्दी']],
  ])('are read without what recognisers leave out: %s', (text, words) => {
    expect(read(text).map(({ word }) => word)).toEqual(words);
  });

  it('keep their places in the text, so that quotes are true', () => {
    const text = 'Das ist größer, señor.';
    expect(read(text).map(({ from, to }) => text.slice(from, to))).toEqual(['Das', 'ist', 'größer', 'señor']);
  });

  it('with thousands of marks are read in linear time', () => {
    const text = `e${'\u0301'.repeat(200_000)}`;
    expect(processorMsOf(() => read(text))).toBeLessThan(3_000);
    expect(read(text)).toHaveLength(1);
  });
});

describe('a phrase', () => {
  it.each([
    ['für ihren anruf', 'danke fur ihren Anruf'],
    ['für ihren anruf', 'danke fuer ihren anruf'],
    ['straße', 'die Strasse'],
    ['buenos días', 'BUENOS DIAS'],
    ['ещё вопросы', 'еще вопросы'],
    ['14 tage', 'vierzehn Tage'],
    ['14 tage', '14 Tage'],
    ['vierzehn tage', '14 Tage'],
    ['24 stunden', 'vierundzwanzig Stunden'],
    ['14 días', 'catorce días'],
    ['31 días', 'treinta y un días'.replace('un ', 'uno ')],
    ['14 дней', 'четырнадцать дней'],
    ['14 дней', 'в течение четырнадцати дней'],
    ['30 days', 'thirty days'],
    ['21 days', 'twenty one days'],
  ])('"%s" is found in "%s"', (phrase, text) => {
    expect(isFound(phrase, text)).toBe(true);
  });

  it.each([
    ['ist erledigt', 'ist nicht erledigt'],
    ['ich habe * erledigt', 'ich habe das nicht erledigt'],
    ['он * оплатил', 'он не оплатил'],
    ['14 tage', 'fünfzehn Tage'],
    ['мой', 'мои'],
    ['once more', '12 more'],
  ])('"%s" is not found in "%s"', (phrase, text) => {
    expect(isFound(phrase, text)).toBe(false);
  });
});

describe('figures that are said one by one', () => {
  it.each([
    ['vier eins eins eins null', '41110'],
    ['cuatro uno uno uno cero', '41110'],
    ['четыре один один один ноль', '41110'],
    ['four one one one zero', '41110'],
  ])('are read as a number: %s', (text, digits) => {
    expect(readNumbers(read(text)).map((number) => number.digits)).toEqual([digits]);
  });
});
