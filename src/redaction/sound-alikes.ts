import { plainWord, readTokens } from './tokens.ts';

/** Words that recognisers write for a spoken digit, by digit. */
const ALIKES: Record<string, string> = {
  '0': 'oh o owe nought naught nul nil sero zerro ноли нол',
  '1': 'won wun ein eine einz ans un una адин одна',
  '2': 'to too tu tool zwo zwar zwie dose двое',
  '3': 'free tree thee dry tress trece тли тре',
  '4': 'for fore far vier viel fier quarto четверо чтыре',
  '5': 'hive fife fünft fümf sinco пядь пяди пят',
  '6': 'sex sicks sick sechse seis seys шест шерсть',
  '7': 'heaven sven sibn sieb siete сем семь',
  '8': 'ate eighth eat aight acht achte och восем',
  '9': 'nein neuen neu nine nigh mine knife nuevo девят',
};
const WORDS = new Set(
  Object.values(ALIKES)
    .flatMap((words) => words.split(' '))
    .map(plainWord),
);

/** Whether this word may be a misheard digit. */
export function soundsLikeFigure(text: string): boolean {
  return readTokens(text, 0).some(({ word }) => WORDS.has(word));
}
