import { validationError, type AppError } from '../../lib/errors.ts';
import { roleOf } from './speaker-labels.ts';

/** A timed text of the file, before speakers are assigned. */
export type Cue = { startMs: number; endMs: number; parts: CuePart[] };
/** `voice` comes from a voice tag; text without one may still begin with a label. */
export type CuePart = { voice: string | null; text: string };

const linesMax = 200_000;

type Line = { number: number; text: string };

/** Cues of a WebVTT file (W3C WebVTT, sections 4.1 and 6.1). Throws VALIDATION_ERROR with the line. */
export function parseVtt(text: string): Cue[] {
  const [header, ...blocks] = splitBlocks(text);
  if (!/^WEBVTT($|[ \t])/.test(header?.[0]?.text ?? '')) throw atLine(1, 'a WebVTT file begins with "WEBVTT"');
  return blocks.flatMap((block) => {
    if (/^(NOTE|STYLE|REGION)($|[ \t])/.test(block[0]?.text ?? '') && !block[0]?.text.includes('-->')) return [];
    return [parseCue(block, readVttText)];
  });
}

/** Cues of a SubRip file. Throws VALIDATION_ERROR with the line. */
export function parseSrt(text: string): Cue[] {
  return splitBlocks(text).map((block) => parseCue(block, readSrtText));
}

/** Groups of lines separated by empty ones. Line ends may be LF, CRLF or CR. */
function splitBlocks(text: string): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  const lines = text.split(/\r\n|\n|\r/, linesMax + 1);
  if (lines.length > linesMax) throw atLine(linesMax, 'the file has too many lines');
  for (const [index, line] of [...lines, ''].entries()) {
    if (line.trim() !== '') {
      block.push({ number: index + 1, text: line });
    } else if (block.length > 0) {
      blocks.push(block);
      block = [];
    }
  }
  return blocks;
}

function parseCue(block: Line[], readText: (lines: string[]) => CuePart[]): Cue {
  // At most one line, an identifier or a counter, may precede the times.
  const at = block[0]?.text.includes('-->') ? 0 : 1;
  const timing = block[at];
  if (!timing?.text.includes('-->')) {
    throw atLine(block[0]?.number ?? 1, 'expected the times of a cue, as in "00:00:01.000 --> 00:00:04.000"');
  }
  const [startMs, endMs] = parseTimes(timing);
  return { startMs, endMs, parts: readText(block.slice(at + 1).map(({ text }) => text)) };
}

const timingPattern = /^\s*([\d:.,]+)[ \t]*-->[ \t]*([\d:.,]+)(?:[ \t].*)?$/;

function parseTimes({ number, text }: Line): [number, number] {
  const match = timingPattern.exec(text);
  const startMs = parseTime(match?.[1] ?? '');
  const endMs = parseTime(match?.[2] ?? '');
  if (startMs === null || endMs === null) throw atLine(number, `"${text.trim().slice(0, 60)}" is not a pair of times`);
  if (endMs < startMs) throw atLine(number, 'the cue ends before it starts');
  return [startMs, endMs];
}

/** `hh:mm:ss.mmm`, hours optional and of any length, with a point or a comma. */
function parseTime(text: string): number | null {
  const match = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const [, hours = '0', minutes = '', seconds = '', fraction = '0'] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

const vttTag = /<([^<>]*)>/g;

/** Splits a cue at its voice tags; a tag's annotation is the voice, and its class may be a role (`<v.agent Ann>`). */
function readVttText(lines: string[]): CuePart[] {
  const text = lines.join('\n');
  const parts: CuePart[] = [];
  let voice: string | null = null;
  let from = 0;
  let spoken = '';
  const finish = () => {
    if (spoken.trim() !== '') parts.push({ voice, text: decodeEntities(spoken) });
    spoken = '';
  };
  for (const match of text.matchAll(vttTag)) {
    spoken += text.slice(from, match.index);
    from = match.index + match[0].length;
    const tag = match[1] ?? '';
    if (tag !== '/v' && !/^v[.\s]/.test(tag)) continue;
    finish();
    voice = tag === '/v' ? null : readVoice(tag);
  }
  spoken += text.slice(from);
  finish();
  return parts;
}

function readVoice(tag: string): string | null {
  const [, classes = '', annotation = ''] = /^v((?:\.[^.\s]+)*)\s*([^]*)$/.exec(tag) ?? [];
  const name = decodeEntities(annotation).trim();
  const [kind, ...notes] = classes.split('.').filter(Boolean);
  if (notes.includes('inferred')) return `${name || kind} (inferred)`;
  if (kind === undefined || (roleOf(kind) === null && name !== '')) return name || null;
  return name === '' ? kind : `${name} (${kind})`;
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,5});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = Number(name.startsWith('#x') ? `0x${name.slice(2)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
  });
}

/** SubRip has only a few formatting tags; any other angle bracket is part of the text. */
function readSrtText(lines: string[]): CuePart[] {
  const text = lines.join('\n').replace(/<\/?(?:[bius]|font(?: [^<>]*)?)>|\{\\[^{}]*\}/gi, '');
  return text.trim() === '' ? [] : [{ voice: null, text }];
}

function atLine(line: number, message: string): AppError {
  return validationError('transcript', `The transcript cannot be read: line ${line}: ${message}.`);
}
