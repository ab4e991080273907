/** JSON text that Postgres takes as jsonb: it holds neither NUL nor half a surrogate pair. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!/\\u(?:0000|[dD][89abAB])/.test(text)) return text;
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'string' ? item.replaceAll('\0', '').toWellFormed() : item,
  );
}
