import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Writes one line, or none. */
export function say(line = ''): void {
  process.stdout.write(line === '' ? '\n' : `  ${line}\n`);
}

/** Coloured on terminals that support it; plain text in a pipe, in a file and with NO_COLOR. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export function isLive(): boolean {
  return process.stdout.isTTY === true;
}

export function screenWidth(): number {
  return Math.max(80, process.stdout.columns ?? 120);
}

/** Truncated to the width with an ellipsis, or padded to it. */
export function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

/** Lines of at most `width` characters, broken between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** `m:ss` */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
