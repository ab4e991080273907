import { plainWord } from './tokens.ts';

export type NumberLanguage = 'en' | 'de' | 'es' | 'ru';

/**
 * The role of a word in a number: `whole` takes no unit after it (`elf`, `zweiundvierzig`, `veintidos`), `repeat` says
 * how often the next digit comes (`double`), `plural` is a digit that comes as often as said (`нуля`).
 */
export type NumberRole = 'unit' | 'whole' | 'tens' | 'hundreds' | 'hundred' | 'thousand' | 'repeat' | 'plural';

export type NumberWord = {
  language: NumberLanguage;
  role: NumberRole;
  value: number;
  /** Usually another word: counts only beside (`beside`), or between (`between`), numbers of its language. */
  needs: 'nothing' | 'beside' | 'between';
};

/** Null for a word that is not a number in any of the languages. */
export function numberWord(word: string): NumberWord | null {
  return WORDS.get(word) ?? readGerman(word);
}

/** Joins the parts of one quantity: "one hundred and five", "cuarenta y dos", "zwei und vierzig". */
export const CONNECTORS: Record<NumberLanguage, string | null> = { en: 'and', de: 'und', es: 'y', ru: null };

const WORDS = new Map<string, NumberWord>();

type Rule = { language: NumberLanguage; role: NumberRole; needs?: NumberWord['needs'] };

/** Words of rising value; `/` stands between spellings of one. */
function add({ language, role, needs = 'nothing' }: Rule, words: string, { first = 0, step = 1 } = {}): void {
  for (const [index, spellings] of words.split(' ').entries()) {
    for (const word of spellings.split('/')) {
      WORDS.set(plainWord(word), { language, role, needs, value: first + index * step });
    }
  }
}

const en = { language: 'en' } as const;
add({ ...en, role: 'unit' }, 'zero one two three four five six seven eight nine');
add({ ...en, role: 'unit', needs: 'beside' }, 'oh/o/nil');
add({ ...en, role: 'unit' }, 'nought/naught');
add({ ...en, role: 'unit', needs: 'between' }, 'won to/too - for/fore - - - ate', { first: 1 });
add({ ...en, role: 'unit' }, 'niner', { first: 9 });
add({ ...en, role: 'whole' }, 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', {
  first: 10,
});
add({ ...en, role: 'tens' }, 'twenty thirty forty/fourty fifty sixty seventy eighty ninety', { first: 20, step: 10 });
add({ ...en, role: 'hundred' }, 'hundred', { first: 100 });
add({ ...en, role: 'thousand' }, 'thousand', { first: 1000 });
add({ ...en, role: 'repeat' }, 'double triple/treble quadruple', { first: 2 });
add({ ...en, role: 'plural' }, 'zeros/zeroes/ohs ones twos threes fours fives sixes sevens eights nines');

const de = { language: 'de' } as const;
add({ ...de, role: 'unit' }, 'null eins zwei/zwo drei vier fünf/fuenf sechs sieben acht neun');
add({ ...de, role: 'unit', needs: 'beside' }, 'ein/eine', { first: 1 });
add({ ...de, role: 'repeat' }, 'doppel/doppelt/zweimal dreimal', { first: 2 });

const es = { language: 'es' } as const;
add({ ...es, role: 'unit' }, 'cero uno dos tres cuatro cinco seis siete ocho nueve');
add({ ...es, role: 'unit', needs: 'beside' }, 'un/una', { first: 1 });
add({ ...es, role: 'whole' }, 'diez', { first: 10 });
add({ ...es, role: 'whole', needs: 'beside' }, 'once', { first: 11 });
add({ ...es, role: 'whole' }, 'doce trece catorce quince dieciséis diecisiete dieciocho diecinueve', { first: 12 });
add(
  { ...es, role: 'whole' },
  'veintiuno/veintiún/veintiuna veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  { first: 21 },
);
add({ ...es, role: 'tens' }, 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', {
  first: 20,
  step: 10,
});
add(
  { ...es, role: 'hundreds' },
  'cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas',
  { first: 100, step: 100 },
);
add({ ...es, role: 'thousand' }, 'mil', { first: 1000 });
add({ ...es, role: 'repeat' }, 'doble triple', { first: 2 });
add({ ...es, role: 'plural' }, 'ceros unos doses treses cuatros cincos seises sietes ochos nueves');

const ru = { language: 'ru' } as const;
add(
  { ...ru, role: 'unit' },
  'ноль/нуль один/одна/единица два/две/двойка три/тройка четыре/четвёрка пять/пятёрка шесть/шестёрка семь/семёрка восемь/восьмёрка девять/девятка',
);
add({ ...ru, role: 'unit', needs: 'beside' }, 'раз', { first: 1 });
add(
  { ...ru, role: 'whole' },
  'десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать',
  { first: 10 },
);
add({ ...ru, role: 'tens' }, 'двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто', {
  first: 20,
  step: 10,
});
add({ ...ru, role: 'hundreds' }, 'сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот', {
  first: 100,
  step: 100,
});
add({ ...ru, role: 'thousand' }, 'тысяча/тысячи/тысяч', { first: 1000 });
add({ ...ru, role: 'repeat' }, 'дважды трижды', { first: 2 });
add(
  { ...ru, role: 'plural' },
  'нуля/нулей единицы/единиц двойки/двоек тройки/троек четвёрки/четвёрок пятёрки/пятёрок шестёрки/шестёрок семёрки/семёрок восьмёрки/восьмёрок девятки/девяток',
);
WORDS.delete('-');

const GERMAN_SMALL = new Map(
  Object.entries({ ein: 1, eins: 1, eine: 1, zwei: 2, zwo: 2, drei: 3, vier: 4, funf: 5, fuenf: 5, sechs: 6 }).concat(
    Object.entries({ sieben: 7, acht: 8, neun: 9, zehn: 10, elf: 11, zwolf: 12, zwoelf: 12, dreizehn: 13 }),
    Object.entries({ vierzehn: 14, funfzehn: 15, fuenfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18 }),
    Object.entries({ neunzehn: 19 }),
  ),
);
const GERMAN_TENS = new Map(
  Object.entries({
    zwanzig: 20,
    dreissig: 30,
    dreizig: 30,
    vierzig: 40,
    funfzig: 50,
    fuenfzig: 50,
    sechzig: 60,
  }).concat(Object.entries({ siebzig: 70, achtzig: 80, neunzig: 90 })),
);
const GERMAN_LETTERS_MAX = 50;

/** German writes a number in one word: `neunzehnhundertvierundachtzig`. */
function readGerman(word: string): NumberWord | null {
  if (
    word.length < 3 ||
    word.length > GERMAN_LETTERS_MAX ||
    !/(?:zig|ssig|zehn|elf|zw(?:o|oe)lf|hundert|tausend)/.test(word)
  )
    return null;
  const tens = GERMAN_TENS.get(word);
  if (tens !== undefined) return { language: 'de', role: 'tens', needs: 'nothing', value: tens };
  if (word === 'hundert') return { language: 'de', role: 'hundred', needs: 'nothing', value: 100 };
  if (word === 'tausend') return { language: 'de', role: 'thousand', needs: 'nothing', value: 1000 };
  const value = germanValue(word);
  return value === null ? null : { language: 'de', role: 'whole', needs: 'nothing', value };
}

/** Null for what is no number below a million. Each call reads a shorter word. */
function germanValue(word: string): number | null {
  for (const [scale, factor] of [
    ['tausend', 1000],
    ['hundert', 100],
  ] as const) {
    const at = word.indexOf(scale);
    if (at < 0) continue;
    const rest = word.slice(at + scale.length).replace(/^und/, '');
    const times = at === 0 ? 1 : germanValue(word.slice(0, at));
    const more = rest === '' ? 0 : germanValue(rest);
    return times === null || more === null ? null : times * factor + more;
  }
  const small = GERMAN_SMALL.get(word) ?? GERMAN_TENS.get(word);
  if (small !== undefined) return small;
  const [unit = '', tens = '', ...more] = word.split('und');
  const ten = GERMAN_TENS.get(tens);
  const one = GERMAN_SMALL.get(unit);
  return more.length > 0 || ten === undefined || one === undefined || one > 9 ? null : ten + one;
}
