import type { z } from 'zod';
import type { ReadLanguage } from '../../../scoring/languages/language.ts';
import type { Concept, Phrasebook } from '../../../scoring/lexicon/phrasebook.ts';
import { PHRASEBOOKS } from '../../../scoring/lexicon/phrasebooks.ts';
import type { Wording } from '../../../model/rubric-parts.ts';
import { Rubric } from '../../../model/rubric.ts';
import { type Category, type ComplianceRule } from '../../../model/checks.ts';
import type { TemplateKey } from '../template-keys.ts';

export type Template = {
  key: TemplateKey;
  name: string;
  description: string;
  /** When the service introduced it. */
  createdAt: Date;
  /** The rubric in these languages; the first one is the language of `phrases`. */
  rubricIn: (languages: readonly ReadLanguage[]) => Rubric;
};

type Spoken = Wording & { translations?: Record<string, Wording> };

/** The wording of a template in its languages. */
export type Words = {
  /** The phrases of one or several concepts. */
  of: (...concepts: Concept[]) => Spoken;
  /** An individual wording for each language. */
  by: (wordingOf: (book: Phrasebook, language: ReadLanguage) => Wording) => Spoken;
};

/** As in a request: with defaults omitted. */
export type WrittenCategory = z.input<typeof Category>;
export type WrittenRule = z.input<typeof ComplianceRule>;
type WrittenRubric = Omit<z.input<typeof Rubric>, 'languages'>;

export function category(
  key: string,
  title: string,
  weight: number,
  checks: WrittenCategory['checks'],
): WrittenCategory {
  return { key, title, weight, checks };
}

/** The beginning of a check that phrases answer. */
export function byPhrase(key: string, title: string, weight: number) {
  return { key, title, weight, kind: 'phrase' } as const;
}

/** The beginning of a check that a detector or a language model answers. */
export function byModel(key: string, title: string, weight: number) {
  return { key, title, weight, kind: 'model' } as const;
}

/** Of all templates so far. */
const introducedAt = new Date('2026-11-21T00:00:00.000Z');

/** Creates a template whose rubric is validated like any other, on first use. */
export function createTemplate(
  { key, name, description }: Pick<Template, 'key' | 'name' | 'description'>,
  write: (words: Words) => WrittenRubric,
): Template {
  return {
    key,
    name,
    description,
    createdAt: introducedAt,
    rubricIn: (languages) => Rubric.parse({ languages: [...languages], ...write(wordsIn(languages)) }),
  };
}

function wordsIn([first = 'en', ...others]: readonly ReadLanguage[]): Words {
  const by: Words['by'] = (wordingOf) => {
    const translations = others.map((language) => [language, wordingOf(PHRASEBOOKS[language], language)]);
    return {
      ...wordingOf(PHRASEBOOKS[first], first),
      ...(others.length > 0 && { translations: Object.fromEntries(translations) }),
    };
  };
  return { by, of: (...concepts) => by((book) => ({ phrases: concepts.flatMap((concept) => [...book[concept]]) })) };
}
