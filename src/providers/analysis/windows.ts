import type { Line } from '../../model/question.ts';

const overlapShare = 0.1;
const overlapLinesMax = 40;
/** Tokens for the number, the speaker and the time of a line. */
const lineTokens = 16;

/**
 * Splits a call into windows of at most `tokensMax` estimated tokens. Each repeats the last tenth of the previous one,
 * so that a question and its answer are always seen together. A line longer than a window is split.
 */
export function planWindows(lines: readonly Line[], tokensMax: number): Line[][] {
  const pieces = lines.flatMap((line) => split(line, tokensMax));
  const windows: Line[][] = [];
  let from = 0;
  while (from < pieces.length) {
    let to = from;
    let tokens = 0;
    for (; to < pieces.length; to += 1) {
      tokens += tokensOf(pieces[to]);
      if (tokens > tokensMax && to > from) break;
    }
    windows.push(pieces.slice(from, to));
    if (to >= pieces.length) break;
    from = Math.max(from + 1, overlapStart(pieces, { from, to, tokensMax: tokensMax * overlapShare }));
  }
  return windows;
}

/**
 * A rule of thumb: four letters of plain ASCII make one token, and any other character one. Real counts differ; if the
 * server finds a window too long, it is halved.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 128) ascii += 1;
  return Math.ceil(ascii / 4) + (text.length - ascii);
}

function tokensOf(line: Line | undefined): number {
  return line ? estimateTokens(line.text) + lineTokens : 0;
}

function overlapStart(
  pieces: readonly Line[],
  { from, to, tokensMax }: { from: number; to: number; tokensMax: number },
): number {
  let start = to;
  let tokens = 0;
  while (start > from + 1 && to - start < overlapLinesMax) {
    tokens += tokensOf(pieces[start - 1]);
    if (tokens > tokensMax) break;
    start -= 1;
  }
  return start;
}

/** A quarter shorter than needed, so that a piece fits whatever its script. */
function split(line: Line, tokensMax: number): Line[] {
  if (tokensOf(line) <= tokensMax) return [line];
  const room = Math.max(1, tokensMax - lineTokens);
  const pieces: Line[] = [];
  let rest = line.text;
  while (rest !== '') {
    let length = Math.min(rest.length, room * 4);
    while (length > 1 && estimateTokens(rest.slice(0, length)) > room) length = Math.ceil(length * 0.75) - 1;
    const space = length < rest.length ? rest.lastIndexOf(' ', length) : -1;
    const end = Math.max(1, space > length / 2 ? space : length);
    pieces.push({
      ...line,
      text: rest.slice(0, end),
      silenceSeconds: pieces.length === 0 ? line.silenceSeconds : null,
    });
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}
