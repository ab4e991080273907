/** Characters that no stored text has (search_documents takes them out), so that marks cannot be forged. */
export const matchStart = '\u{E000}';
export const matchEnd = '\u{E001}';

const replacements: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  [matchStart]: '<mark>',
  [matchEnd]: '</mark>',
};

/** Safe to be put into HTML: everything is escaped but the marks around what matched. */
export function toSnippet(headline: string): string {
  return headline.replace(/[&<>"'\u{E000}\u{E001}]/gu, (character) => replacements[character] ?? '');
}
