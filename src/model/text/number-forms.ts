import { foldWord } from './fold.ts';

/** Small numbers as recognisers spell them out in four languages: `14`, `vierzehn`, `catorce`. */
const words = (text: string): string[] => text.split(' ');

const SMALL: readonly string[][] = [
  words(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
  words(
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  ),
  words(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
  ),
  words(
    'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать',
  ),
  words(
    'нуля одного двух трех четырех пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати семнадцати восемнадцати девятнадцати',
  ),
];
const TENS: readonly string[][] = [
  words('twenty thirty forty fifty sixty seventy eighty ninety hundred'),
  words('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert'),
  words('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien'),
  words('двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто'),
  words('двадцати тридцати сорока пятидесяти шестидесяти семидесяти восьмидесяти девяноста ста'),
];
const VEINTI = words(
  '- veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
);
/** Languages that write the unit after the ten as a separate word, by their index in the lists above. */
const SEPARATE_UNITS = [0, 3, 4];

/** Spanish for eleven, but also an English word. */
const ENGLISH_TOO = 'once';

const spelled = new Map<string, string[]>();
const figures = new Map<string, string>();
for (let value = 0; value <= 100; value += 1) {
  const forms = formsOf(value);
  spelled.set(String(value), forms);
  for (const form of forms.map(foldWord)) {
    if (!form.includes(' ') && form !== ENGLISH_TOO && !figures.has(form)) figures.set(form, String(value));
  }
}

/** The spelled-out forms of a number from 0 to 100 in figures; some have several words. Empty for anything else. */
export function spelledForms(figure: string): readonly string[] {
  return spelled.get(figure) ?? NONE;
}

/** The figures of a number word (lower case, without accents), or undefined. */
export function figureOf(word: string): string | undefined {
  return figures.get(word);
}

const NONE: readonly string[] = [];

function formsOf(value: number): string[] {
  if (value < 20) return SMALL.map((list) => list[value] ?? '');
  const ten = Math.floor(value / 10) - 2;
  const unit = value % 10;
  if (unit === 0) return TENS.map((list) => list[ten] ?? '');
  const separate = SEPARATE_UNITS.map((at) => `${TENS[at]?.[ten] ?? ''} ${SMALL[at]?.[unit] ?? ''}`);
  const german = `${unit === 1 ? 'ein' : (SMALL[1]?.[unit] ?? '')}und${TENS[1]?.[ten] ?? ''}`;
  const spanish = ten === 0 ? (VEINTI[unit] ?? '') : `${TENS[2]?.[ten] ?? ''} y ${SMALL[2]?.[unit] ?? ''}`;
  return [...separate, german, spanish];
}
