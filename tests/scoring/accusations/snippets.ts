import type { Snippet } from '../../evaluation/labelled.ts';
import { ACCUSING, type Accusation, type Accusations } from './accusations.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

export const BOOKS: Record<string, Accusations> = { en: english, de: german, es: spanish, ru: russian };
export const KINDS = Object.keys(ACCUSING) as Accusation[];

/** What is said before and after, so that something is. */
export const AROUND: Record<string, [string, string]> = {
  en: ['I am ringing about my account again.', 'All right.'],
  de: ['Ich rufe noch einmal wegen meines Vertrags an.', 'Gut.'],
  es: ['Le llamo otra vez por mi contrato.', 'Bueno.'],
  ru: ['Я звоню ещё раз по поводу договора.', 'Понятно.'],
};

/** The sentences of our own tests, as labelled snippets. */
export function ownSnippets(): Snippet[] {
  return Object.entries(BOOKS).flatMap(([language, book]) =>
    (['harmless', 'real'] as const).flatMap((side) =>
      KINDS.flatMap((kind) =>
        book[side][kind].map((text, index): Snippet => {
          const [before = '', after = ''] = AROUND[language] ?? [];
          const said = (role: 'agent' | 'customer', words: string): Snippet['utterances'][number] => {
            return { role, text: words, acts: [] };
          };
          return {
            id: `own ${language} ${side} ${kind} ${String(index)}`,
            language,
            style: 'typed',
            utterances: [said('customer', before), said('agent', text), said('customer', after)],
            truth: side === 'real' ? 'guilty' : 'innocent',
            about: ACCUSING[kind],
            target: 1,
          };
        }),
      ),
    ),
  );
}
