/** Milliseconds as a place in a recording: `0:07`, `12:30`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  const [minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return hours > 0 ? `${String(hours)}:${minutes ?? ''}:${rest ?? ''}` : `${String(parts[0])}:${rest ?? ''}`;
}

/** `a`, `a and b`, `a, b and c`, with the language's own word for "and". */
export function listWith(and: string, items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1) ?? ''}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Without its full stop, to be the beginning of a longer sentence. */
export function withoutStop(text: string): string {
  return text.replace(/\.$/u, '');
}

/** A small count as a word, others as figures. */
export function countIn(words: readonly string[], count: number): string {
  return words[count] ?? String(count);
}

/** The form of a Russian noun after a number: 1 секунда, 2 секунды, 5 секунд. */
export function russianForm(count: number, [one, few, many]: readonly [string, string, string]): string {
  const [last, lastTwo] = [count % 10, count % 100];
  if (!Number.isInteger(count)) return few;
  if (last === 1 && lastTwo !== 11) return one;
  return last >= 2 && last <= 4 && (lastTwo < 12 || lastTwo > 14) ? few : many;
}

export function whole(value: number): string {
  return String(Math.round(value));
}

/** Two decimals behind a comma. */
export function decimal(value: number): string {
  return value.toFixed(2).replace('.', ',');
}

/** `12 %`, `3.5 %`, with the decimal sign of the language. */
export function percentIn(value: number, sign: string): string {
  return `${value.toFixed(value < 10 ? 1 : 0).replace('.', sign)} %`;
}
