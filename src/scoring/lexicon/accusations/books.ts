import type { ReadLanguage } from '../../languages/language.ts';
import type { AccusationBook } from './accusation-book.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

export const ACCUSATION_BOOKS: Record<ReadLanguage, AccusationBook> = {
  en: english,
  de: german,
  es: spanish,
  ru: russian,
};
