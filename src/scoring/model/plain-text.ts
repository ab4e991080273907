/** Control, invisible and direction-changing signs, and what is no character: nothing that could be read. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;
const CODE_FENCE = /```\w*/gu;
const IMAGE_OR_LINK = /!?\[([^\][]{0,300})\]\s*\([^()]{0,2000}\)/gu;
const ADDRESS = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|(?:javascript|data|vbscript|mailto|tel):)\S*/giu;
const MAIL = /[^\s@]{1,64}@[^\s@]{1,255}/gu;
const HOST =
  /\b(?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|dev|app|info|biz|co|ru|de|uk|eu|me|xyz|site|online|top|ly|to)\b(?:\/\S*)?/giu;
const TAG = /<[^<>]{0,2000}>/gu;
const MARKUP = /[<>`*_#|~\\{}[\]]+/gu;
const ENTITY = /&(?:#x?[0-9a-f]{1,8}|[a-z]{2,31});/giu;
/** Long numbers are telephone, card or account numbers: no report needs them, and lists show reports. */
const LONG_NUMBER = /(?:\+?\p{N}[\s().-]{0,2}){7,}/gu;

/**
 * One line of plain text out of what a model wrote: no markup, no addresses, no invisible signs, no long numbers.
 * Readers are free to show it without escaping, though nothing of ours does.
 */
export function toPlainText(text: string, lengthMax: number): string {
  const words = text
    .normalize('NFKC')
    .slice(0, lengthMax * 4)
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(ENTITY, ' ')
    .replace(IMAGE_OR_LINK, '$1')
    .replace(TAG, ' ')
    .replace(CODE_FENCE, ' ')
    .replace(ADDRESS, ' ')
    .replace(MAIL, ' ')
    .replace(HOST, ' ')
    .replace(LONG_NUMBER, '[number] ')
    .replace(/\[number\]/gu, '\u0001')
    .replace(MARKUP, ' ')
    .replaceAll('://', ' ')
    .replaceAll('\u0001', '[number]')
    .replace(/\s+/gu, ' ')
    .replace(/\s+([.,;:!?])/gu, '$1')
    .trim();
  return shorten(words, lengthMax);
}

/** Whether there is something in it that a page would act on. */
export function hasMarkup(text: string): boolean {
  const words = text.normalize('NFKC').replace(INVISIBLE, '');
  return [ENTITY, IMAGE_OR_LINK, TAG, ADDRESS, MAIL, HOST].some((pattern) => words.search(pattern) >= 0);
}

function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text.toWellFormed();
  const space = text.lastIndexOf(' ', lengthMax - 1);
  return `${text.slice(0, space > lengthMax / 2 ? space : lengthMax - 1).toWellFormed()}…`;
}
