import { plainWord, type Token } from './tokens.ts';

const MONTHS = new Set(
  (
    'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'januar jänner februar märz april mai juni juli august september oktober november dezember juno julei ' +
    'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ' +
    'января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь'
  )
    .split(' ')
    .map(plainWord),
);

const ENGLISH_ORDINALS =
  /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|st|nd|rd|th)$/;
const GERMAN_ORDINALS =
  /^(?:(?:ers|zwei|drit|vier|funf|fuenf|sechs|sieb|siebten|ach|neun|zehn|elf|zwolf|zwoelf|\p{L}{3,9}zehn)te[nrsm]?|\p{L}{0,12}(?:zig|ssig)ste[nrsm]?)$/u;
const RUSSIAN_ORDINALS =
  /^(?:перв|втор|трет|четверт|пят|шест|седьм|восьм|девят|десят|\p{L}{2,8}надцат|двадцат|тридцат|сороков|пятидесят|шестидесят|семидесят|восьмидесят|девяност|двухтысячн|тысячн)(?:ого|ое|ыи|ои|ом|ому|ья|ье|ьего|ии|ьем)$/u;
const SPANISH_ORDINALS = /^(?:primero|primer|uno|once)$/;

export function isMonth({ word }: Token): boolean {
  return MONTHS.has(word);
}

export function isOrdinal({ kind, word }: Token): boolean {
  if (kind !== 'word') return false;
  return (
    ENGLISH_ORDINALS.test(word) ||
    GERMAN_ORDINALS.test(word) ||
    RUSSIAN_ORDINALS.test(word) ||
    SPANISH_ORDINALS.test(word)
  );
}

/** Words that stand inside a date: "the third of March", "am dritten", "tres de marzo del año", "третьего марта … года". */
const JOINTS = new Set(
  'the of in on de del el año ano am im den der year month day and y und i uh um а э года год году г slash dash point dot punkt vom von also barra guion guión oh'
    .split(' ')
    .map(plainWord),
);

export function isDateJoint({ kind, word }: Token): boolean {
  return kind === 'word' && JOINTS.has(word);
}
