import { MONTH_WORDS, WEEKDAY_WORDS } from '../lexicon/other-languages.ts';
import { isNumberWord, ordinalValue } from './numbers.ts';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
  ...WEEKDAY_WORDS,
];
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
  ...MONTH_WORDS,
];
const TELLING = new Set(
  'tomorrow today tonight noon midnight morning afternoon evening week weeks month months dollars pounds euros percent because yes free street road avenue oclock hours minutes online website app'.split(
    ' ',
  ),
);
const DATED = new Set([...WEEKDAYS, ...MONTHS.filter((month) => month !== 'may' && month !== 'march')]);

/** Whether a word alone tells something: a figure, a day, a price, a place, a reason. */
export function isValueWord(word: string): boolean {
  return isNumberWord(word) || ordinalValue(word) !== null || DATED.has(word) || TELLING.has(word);
}
