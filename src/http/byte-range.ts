/** First and last byte, both inclusive. */
export type Range = { start: number; end: number };

type RangeHeaders = { range?: string | undefined; 'if-range'?: string | string[] | undefined };

/**
 * Reads `Range` and `If-Range` (RFC 9110, sections 13.1.5 and 14.2). `undefined` means the whole file: no range, an
 * invalid one, several at once (which a server may ignore), or a range of another version of the file.
 */
export function rangeOf(
  headers: RangeHeaders,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): Range | 'unsatisfiable' | undefined {
  const condition = headers['if-range'];
  // Weak or unknown tags do not match, nor do dates, since we send none (section 13.1.5).
  if (condition !== undefined && condition !== etag) return undefined;
  const match = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length > 0 ? { start: sizeBytes - length, end: sizeBytes - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

/** `If-None-Match` compares weakly (RFC 9110, section 13.1.2): `W/` makes no difference. */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}
