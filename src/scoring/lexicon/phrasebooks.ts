import type { ReadLanguage } from '../languages/language.ts';
import { english } from './english/english.ts';
import { german } from './german/german.ts';
import type { Phrasebook } from './phrasebook.ts';
import { russian } from './russian/russian.ts';
import { spanish } from './spanish/spanish.ts';

/** What templates are put together from, by language. */
export const PHRASEBOOKS: Record<ReadLanguage, Phrasebook> = { en: english, de: german, es: spanish, ru: russian };
