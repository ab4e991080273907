import { foldWord } from '../../model/text/fold.ts';
import { german } from './german/german.ts';
import type { Concept } from './phrasebook.ts';
import { russian } from './russian/russian.ts';
import { spanish } from './spanish/spanish.ts';

/**
 * The phrases of every language but English. What the rules engine looks for by itself it looks for in all languages at
 * once: hardly a phrase means something else in another language, and callers change theirs in the middle.
 */
export function inOtherLanguages(concept: Concept): string[] {
  return [german, spanish, russian].flatMap((book) => [...book[concept]]);
}

const words = (text: string): string[] => text.split(/\s+/u).map(foldWord);

/** Yes and no, where they answer a question. */
export const YES: ReadonlySet<string> = new Set(words('yes ja doch genau sí claro да ага угу конечно'));
export const NO: ReadonlySet<string> = new Set(words('no not nein nicht kein keine нет не ничего'));

/** What is said to show that one listens. */
export const LISTENING: readonly string[] = words(
  'ja jaja genau gut okay klar stimmt achso aha mhm richtig sí vale claro bueno bien ajá да ага угу так хорошо понятно ясно',
);

/** Figures as they are said one by one. */
export const DIGITS: readonly (readonly string[])[] = [
  words('null eins zwei drei vier fünf sechs sieben acht neun'),
  words('cero uno dos tres cuatro cinco seis siete ocho nueve'),
  words('ноль один два три четыре пять шесть семь восемь девять'),
];

export const WEEKDAY_WORDS: readonly string[] = words(
  `montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lunes martes miércoles jueves viernes sábado
  domingo понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье`,
);
export const MONTH_WORDS: readonly string[] = words(
  `januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre
  octubre noviembre diciembre января февраля марта апреля мая июня июля августа сентября октября ноября декабря`,
);
export const CURRENCY_WORDS: readonly string[] = words(
  'franken cent pesos peso dólares soles céntimos рублей рубля рубль евро долларов копеек',
);
