import type { RedactionKind } from '../../src/model/redaction.ts';
import { placeholders, RedactionKind as Kinds } from '../../src/model/redaction.ts';
import type { Segment } from '../../src/model/transcript.ts';

/** A line of the table, read: what is said, and how it is to come out. */
export type Case = {
  line: string;
  isKnownMiss: boolean;
  segments: Segment[];
  expected: string[];
  marks: { kind: RedactionKind; segment: number; from: number; to: number }[];
};

const wordMs = 400;

export function readCase(written: string): Case {
  const isKnownMiss = written.startsWith('?');
  const line = written.replace(/^\?\s*/, '');
  const found: Case = { line, isKnownMiss, segments: [], expected: [], marks: [] };
  let startMs = 0;
  for (const [segment, part] of splitSegments(line).entries()) {
    const [, speaker = 'C', said = ''] = /^(?:([AC]):\s*)?(.*)$/su.exec(part) ?? [];
    const { text, marks } = unmark(said);
    found.marks.push(...marks.map((mark) => ({ ...mark, segment })));
    found.expected.push(said.replaceAll(/\{(\w+)\|[^}]*\}/gu, (_, kind: string) => placeholders[Kinds.parse(kind)]));
    found.segments.push(toSegment({ text, speaker, index: segment, startMs }));
    startMs = (found.segments.at(-1)?.endMs ?? 0) + 300;
  }
  return found;
}

/** At `|` outside of braces. */
function splitSegments(line: string): string[] {
  return line.split(/\|(?![^{]*\})/u);
}

function unmark(said: string): { text: string; marks: Omit<Case['marks'][number], 'segment'>[] } {
  const marks: Omit<Case['marks'][number], 'segment'>[] = [];
  let text = '';
  let at = 0;
  for (const mark of said.matchAll(/\{(\w+)\|([^}]*)\}/gu)) {
    const [whole, kind = '', inner = ''] = mark;
    text += said.slice(at, mark.index);
    marks.push({ kind: Kinds.parse(kind), from: text.length, to: text.length + inner.length });
    text += inner;
    at = mark.index + whole.length;
  }
  return { text: text + said.slice(at), marks };
}

/** Each word takes the same time. */
export function toSegment({
  text,
  speaker = 'C',
  index = 0,
  startMs = 0,
}: {
  text: string;
  speaker?: string;
  index?: number;
  startMs?: number;
}): Segment {
  const words = text.split(/\s+/).filter(Boolean);
  return {
    id: `seg_${index}`,
    index,
    speaker,
    role: speaker === 'A' ? 'agent' : 'customer',
    channel: speaker === 'A' ? 1 : 0,
    startMs,
    endMs: startMs + words.length * wordMs,
    text,
    confidence: 0.9,
    words: words.map((word, at) => ({
      text: word,
      startMs: startMs + at * wordMs,
      endMs: startMs + (at + 1) * wordMs,
      confidence: 0.9,
    })),
  };
}
