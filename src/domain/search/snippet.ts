import { folded, type QueryText } from './query-text.ts';

/** Characters that no stored text contains (search_documents removes them), so marks cannot be forged. */
const matchStart = '\u{E000}';
const matchEnd = '\u{E001}';

/** A text with private characters around what matches, once as it is written and, if that differs, once without accents. */
export type Part = { firstLine: number | null; marked: string[] };

/** `line` is that of the document in which most of what was asked for stands; null if nothing is known of it. */
export type Cut = { snippet: string; line: number | null };

type Mark = { start: number; end: number };
type Marked = { text: string; marks: Mark[] };

const wholeLengthMax = 200;
const fragmentLength = 180;
const leadLength = 60;
const fragmentsMax = 2;

/** Cuts a snippet from what the database found. Everything in it is escaped, except the marks around matches. */
export function cutSnippet(parts: readonly Part[], query: QueryText): Cut {
  const texts = parts.map(({ firstLine, marked }) => ({ firstLine, ...readMarks(marked, query) }));
  const fragmentsOfEach = texts.length > 1 ? 1 : fragmentsMax;
  const fragments = texts.flatMap((text) => fragmentsOf(text, fragmentsOfEach));
  const best = texts
    .map(({ firstLine, ...text }) => ({ firstLine, ...bestLine(text) }))
    .reduce((a, b) => (b.words > a.words ? b : a), { firstLine: null, line: 0, words: 0 } as BestLine);
  return {
    snippet: fragments.map(escape).join(' … '),
    line: best.firstLine === null || best.words === 0 ? null : best.firstLine + best.line,
  };
}

function readMarks([written = '', plain]: string[], { prefixes, runs, words }: QueryText): Marked {
  const { text, marks } = readMarked(written);
  const others = plain === undefined ? undefined : readMarked(plain);
  const further = others?.text.length === text.length ? others.marks : [];
  const all = [...marks, ...further, ...beginnings(text, prefixes), ...runs.flatMap((run) => placesOf(text, run))];
  if (all.length > 0) return { text, marks: merged(all) };
  // The database marks no part of a word, such as a name between characters of a script without spaces.
  const plainText = folded(text).toLowerCase();
  const parts = plainText.length === text.length ? words.flatMap((word) => placesOf(plainText, word)) : [];
  return { text, marks: merged(parts) };
}

function readMarked(marked: string): Marked {
  const marks: Mark[] = [];
  let text = '';
  for (const [index, piece] of marked.split(matchStart).entries()) {
    const [inside = '', ...rest] = piece.split(matchEnd);
    if (index > 0 && rest.length > 0) marks.push({ start: text.length, end: text.length + inside.length });
    text += inside + rest.join('');
  }
  return { text, marks };
}

/** Words that begin so. The database marks only those whose stem does. */
function beginnings(text: string, prefixes: readonly string[]): Mark[] {
  if (prefixes.length === 0) return [];
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    const plain = folded(word).toLowerCase();
    return prefixes.some((prefix) => plain.startsWith(prefix)) ? [{ start: index, end: index + word.length }] : [];
  });
}

function placesOf(text: string, run: string): Mark[] {
  const places: Mark[] = [];
  for (let start = text.indexOf(run); start >= 0; start = text.indexOf(run, start + run.length)) {
    places.push({ start, end: start + run.length });
  }
  return places;
}

function merged(marks: Mark[]): Mark[] {
  const result: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && mark.start < last.end) last.end = Math.max(last.end, mark.end);
    else result.push({ ...mark });
  }
  return result;
}

type BestLine = { firstLine: number | null; line: number; words: number };

function bestLine({ text, marks }: Marked): { line: number; words: number } {
  const found = new Map<number, Set<string>>();
  let line = 0;
  let at = 0;
  for (const { start, end } of marks) {
    for (; at < start; at += 1) if (text[at] === '\n') line += 1;
    const words = found.get(line) ?? new Set();
    found.set(line, words.add(text.slice(start, end).toLowerCase()));
  }
  const [best = { line: 0, words: 0 }] = [...found]
    .map(([number, words]) => ({ line: number, words: words.size }))
    .toSorted((a, b) => b.words - a.words || a.line - b.line);
  return best;
}

/** Windows with as many different matches as possible, in the order of the text. */
function fragmentsOf(marked: Marked, fragmentsMax: number): Marked[] {
  const { text, marks } = marked;
  if (text.length <= wholeLengthMax) return [marked];
  if (marks.length === 0) return [cut(marked, 0, fragmentLength)];
  const chosen: Window[] = [];
  const shown = new Set<string>();
  while (chosen.length < fragmentsMax) {
    const next = bestWindow(marked, { chosen, shown });
    if (!next) break;
    chosen.push(next);
    for (const word of next.words) shown.add(word);
  }
  return chosen.toSorted((a, b) => a.start - b.start).map(({ start, end }) => cut(marked, start, end));
}

type Window = Mark & { words: Set<string> };

/** That with most of what is not shown yet; null if there is none. */
function bestWindow({ text, marks }: Marked, { chosen, shown }: { chosen: Window[]; shown: Set<string> }) {
  let best: Window | null = null;
  for (const [index, first] of marks.entries()) {
    const start = Math.max(0, first.start - leadLength);
    const end = Math.min(text.length, Math.max(start + fragmentLength, first.end));
    if (chosen.some((other) => start < other.end && other.start < end)) continue;
    const words = new Set<string>();
    for (let at = index; at < marks.length; at += 1) {
      const mark = marks[at];
      if (!mark || mark.end > end) break;
      const word = text.slice(mark.start, mark.end).toLowerCase();
      if (!shown.has(word)) words.add(word);
    }
    if (words.size > (best?.words.size ?? 0)) best = { start, end, words };
  }
  return best;
}

/** Ends at spaces, where there are any outside of the matches. */
function cut({ text, marks }: Marked, from: number, to: number): Marked {
  const inside = marks.filter(({ start, end }) => start >= from && end <= to);
  const firstMark = inside[0]?.start ?? to;
  const lastMark = inside.at(-1)?.end ?? from;
  const space = from === 0 ? -1 : text.slice(from, firstMark).search(/\s/);
  const start = space < 0 ? from : from + space + 1;
  const tail = to >= text.length ? -1 : text.slice(lastMark, to).search(/\s\S*$/);
  const end = tail < 0 ? to : lastMark + tail;
  return {
    text: text.slice(start, end),
    marks: inside.map((mark) => ({ start: mark.start - start, end: mark.end - start })),
  };
}

const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape({ text, marks }: Marked): string {
  let html = '';
  let at = 0;
  for (const { start, end } of marks) {
    html += `${escapeText(text.slice(at, start))}<mark>${escapeText(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeText(text.slice(at));
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => replacements[character] ?? '').replaceAll('\n', ' ');
}
