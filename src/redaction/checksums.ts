const zero = 48;

/** The Luhn checksum (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - zero;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

export const cardDigitsMin = 13;
export const cardDigitsMax = 19;

export function isCardLength(length: number): boolean {
  return length >= cardDigitsMin && length <= cardDigitsMax;
}

/** Lengths by the first figures of an issuer: Amex 15, Visa 13/16/19, Mastercard 16, Mir 16-19, others 14-19. */
export function isIssuedCard(digits: string): boolean {
  if (!isCardLength(digits.length) || !'23456'.includes(digits.charAt(0))) return false;
  if (/^3[47]/.test(digits)) return digits.length === 15;
  if (digits.startsWith('4')) return [13, 16, 19].includes(digits.length);
  if (/^220[0-4]/.test(digits)) return digits.length >= 16;
  if (/^(?:5[1-5]|2[2-7])/.test(digits)) return digits.length === 16;
  if (/^3[0689]/.test(digits)) return digits.length >= 14;
  return /^(?:6|50|5[6-9])/.test(digits);
}

/** A United States social security number that can have been given out (SSA, POMS RM 10201.035). */
export function isSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
}

/** A British national insurance number with a prefix that is in use (HMRC, NIM39110). */
export function isNino(text: string): boolean {
  return /^(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-prtw-z][a-ceghj-nprtw-z]\d{6}[a-d]$/.test(text);
}

/** A German tax id: one figure twice or thrice among the first ten, check digit by ISO 7064 MOD 11,10. */
export function isSteuerId(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

const dniLetters = 'trwagmyfpdxbnjzsqvhlcke';

/** A Spanish DNI (8 figures, letter) or NIE (X, Y or Z, 7 figures, letter); the letter is the remainder by 23. */
export function isDni(text: string): boolean {
  if (!/^(?:\d{8}|[xyz]\d{7})[a-z]$/.test(text)) return false;
  const first = 'xyz'.indexOf(text.charAt(0));
  const digits = first < 0 ? text.slice(0, 8) : `${first}${text.slice(1, 8)}`;
  return dniLetters.charAt(Number(digits) % 23) === text.charAt(8);
}

/** A Russian SNILS: weights 9 to 1, remainder by 101. */
export function isSnils(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || digits.startsWith('000')) return false;
  const weighted = digits.slice(0, 9).split('');
  const sum = weighted.reduce((total, digit, index) => total + Number(digit) * (9 - index), 0);
  return (sum % 101) % 100 === Number(digits.slice(9));
}

/** Length by country (SWIFT, IBAN registry). */
export const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 es24 fi18 fo18 fr27 ' +
    'gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21 mc27 md24 ' +
    'me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23 tn24 ' +
    'tr26 ua29 va22 vg24 xk20'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))] as const),
);

/** An international bank account number: ISO 13616, remainder 1 by 97 (ISO 7064). Lower case, no spaces. */
export function isIban(text: string): boolean {
  if (text.length !== IBAN_LENGTHS.get(text.slice(0, 2)) || !/^[a-z]{2}\d{2}[a-z0-9]+$/.test(text)) return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 87;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
