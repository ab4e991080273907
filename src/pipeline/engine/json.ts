/** An escape as `JSON.stringify` writes it: NUL, a lone surrogate (pairs are not escaped), or any other. */
const escape = /\\(?:(u0000)|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/gs;

/** JSON text that Postgres accepts as jsonb: neither values nor names contain NUL or lone surrogates. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!/\\u(?:0000|[dD][89a-fA-F])/.test(text)) return text;
  return text.replace(escape, (whole: string, isNul?: string, isHalf?: string) =>
    isNul ? '' : isHalf ? '\ufffd' : whole,
  );
}
