/** The result of a command: `data` for programs, `text` for people. */
export type Result = { data: unknown; text: string };

/** Prints the result, and nothing else, to stdout. */
export function print({ data, text }: Result, { json = false }: { json?: boolean }): void {
  process.stdout.write(`${json ? JSON.stringify(data) : text}\n`);
}

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(cell.length, known[column] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
