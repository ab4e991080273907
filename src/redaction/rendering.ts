import { placeholders } from '../model/redaction.ts';
import type { Span } from './spans.ts';

/** A text in which spans are replaced, and the way back: where a place of the new text was in the old one. */
export type Rendering = { text: string; toOriginal: (place: number) => number };

/** `spans` in order, without overlaps, in places of `text`. */
export function render(text: string, spans: readonly Span[]): Rendering {
  if (spans.length === 0) return { text, toOriginal: (place) => place };
  let rendered = '';
  let at = 0;
  const shifts: { from: number; by: number }[] = [];
  for (const { kind, from, to } of spans) {
    rendered += text.slice(at, from) + placeholders[kind];
    at = to;
    shifts.push({ from: rendered.length, by: to - rendered.length });
  }
  return {
    text: rendered + text.slice(at),
    toOriginal: (place) => place + (shifts.findLast(({ from }) => from <= place)?.by ?? 0),
  };
}
