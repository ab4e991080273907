import type { z } from 'zod';
import type { ReadLanguage } from '../../../scoring/language.ts';
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
  /** Since when the service has it. */
  createdAt: Date;
  /** The rubric with words for these languages, the first of them as that of `phrases`. */
  rubricIn: (languages: readonly ReadLanguage[]) => Rubric;
};

type Spoken = Wording & { translations?: Record<string, Wording> };

/** What a template says in the languages that it is made for. */
export type Words = {
  /** The phrases of a concept, or of several together. */
  of: (...concepts: Concept[]) => Spoken;
  /** A wording of its own for each language. */
  by: (wordingOf: (book: Phrasebook, language: ReadLanguage) => Wording) => Spoken;
};

/** As a request would bring them: with their defaults left out. */
export type WrittenCategory = z.input<typeof Category>;
export type WrittenRule = z.input<typeof ComplianceRule>;
type WrittenRubric = Omit<z.input<typeof Rubric>, 'languages'>;

/** A template whose rubric is checked like any other, when it is first asked for. */
export function createTemplate(
  { key, name, description, createdAt }: Omit<Template, 'rubricIn'>,
  write: (words: Words) => WrittenRubric,
): Template {
  return {
    key,
    name,
    description,
    createdAt,
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
