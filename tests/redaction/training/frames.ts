import { readFileSync } from 'node:fs';
import type { Turn } from '../measuring.ts';
import { createChance, type Chance } from './chance.ts';
import type { Sourced } from './corpora.ts';
import { TENS, UNITS, type Pool } from './vary.ts';

const LANGUAGES = ['en', 'de', 'es', 'ru'];
const fillings = 5;

/** Short exchanges with places for values, filled with values of the sets: who asks and answers in which words. */
export function fillFrames(pool: Pool): Sourced[] {
  return LANGUAGES.flatMap((language) => {
    const lines = readFileSync(new URL(`frames/${language}.txt`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean);
    return lines.flatMap((line, index) =>
      Array.from({ length: fillings }, (_, filling) => {
        const id = `frame ${language} ${String(index)} ${String(filling)}`;
        const said = line.replaceAll(/\b[AC]:/g, '');
        const style = said === said.toLowerCase() ? 'spoken' : 'typed';
        const chance = createChance(index * 7919 + filling * 104_729 + LANGUAGES.indexOf(language) + 1);
        const turns = line
          .split(' | ')
          .map((part) => toTurn(part, { key: `${language} ${style}`, language, pool, chance }));
        return { id, language, style, turns, source: 'frames', isOfRules: false };
      }),
    );
  });
}

type Filling = { key: string; language: string; pool: Pool; chance: Chance };

function toTurn(part: string, filling: Filling): Turn {
  const speaker = part.startsWith('A:') ? 'agent' : 'customer';
  const text = part
    .slice(2)
    .trim()
    .replaceAll(/\{(\w+)\}/g, (_, slot: string) => valueOf(slot, filling));
  return { speaker, text, isMarked: true };
}

function valueOf(slot: string, { key, language, pool, chance }: Filling): string {
  const isSpoken = key.endsWith('spoken');
  const units = UNITS[language] ?? [];
  const word = (): string => chance.of(chance.next() < 0.5 ? units : (TENS[language] ?? [])) ?? '';
  const figures = (length: number): string => Array.from({ length }, () => String(chance.below(10))).join('');
  switch (slot) {
    case 'num':
      return isSpoken ? (chance.next() < 0.5 ? word() : `${word()} ${word()}`) : figures(1 + chance.below(3));
    case 'long':
      return isSpoken ? Array.from({ length: 5 + chance.below(6) }, word).join(' ') : figures(5 + chance.below(6));
    case 'n6':
      return figures(6);
    case 'n8':
      return figures(8);
    default: {
      const value = chance.of(pool.values.get(`${key} ${slot}`) ?? []);
      return value === undefined ? '' : `⟦${slot}:${value}⟧`;
    }
  }
}
