/** Characters that no stored text contains (search_documents removes them), so marks cannot be forged. */
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

/** Safe HTML: everything is escaped, except the marks around matches. */
export function toSnippet(headline: string): string {
  return headline.replace(/[&<>"'\u{E000}\u{E001}]/gu, (character) => replacements[character] ?? '');
}
