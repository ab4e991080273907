const tags =
  'ar bg cs da de de-AT de-CH el en en-AU en-GB en-IN en-US es es-419 es-MX et fi fr fr-CA he hi hr hu id it ja kk ko lt lv nl no pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames(undefined, { type: 'language', languageDisplay: 'standard' });

/** `en-US` → "English (United States)". */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Languages to choose from, by name; `extra` is the current choice. */
export function languageOptions(extra?: string | null): { tag: string; name: string }[] {
  const all = extra && !tags.includes(extra) ? [...tags, extra] : tags;
  return all.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name));
}
