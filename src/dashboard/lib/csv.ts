type Cell = string | number | null;

/** RFC 4180, with a byte order mark for spreadsheets. The first row names the columns. */
export function toCsv(rows: Record<string, Cell>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? null))];
  return `\uFEFF${lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets run text that looks like a formula, unless a quote precedes it. */
function toCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveFile({ name, type, text }: { name: string; type: string; text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
