import type { ReadLanguage } from '../languages/language.ts';
import { english } from './english/english.ts';
import { german } from './german/german.ts';
import { russian } from './russian/russian.ts';
import { spanish } from './spanish/spanish.ts';
import type { Messages } from './table.ts';
import { isStandardTitle } from './terms.ts';

export const MESSAGES: Record<ReadLanguage, Messages> = { en: english, de: german, es: spanish, ru: russian };

/** In the language of a call; in English where it is unknown, or is none that reports are written in. */
export function messagesIn(language: string | null): Messages {
  return language !== null && isWritten(language) ? MESSAGES[language] : english;
}

function isWritten(language: string): language is ReadLanguage {
  return Object.hasOwn(MESSAGES, language);
}

/** The title of a check or rule as reports quote it: one of a built-in profile in the language of the report. */
export function titleIn({ summary: { titles } }: Messages, title: string): string {
  return (isStandardTitle(title) ? titles[title] : undefined) ?? title;
}
