import type { RedactionKind } from '../../src/model/redaction.ts';
import type { Segment } from '../../src/model/transcript.ts';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import type { Tagger } from '../../src/redaction/tagger/tagger.ts';
import { readTokens, type Token } from '../../src/redaction/tokens.ts';
import { toSegment } from './marked.ts';

/**
 * A line of a set, with what is to be taken out as `⟦kind:words⟧`: an utterance, of which what was said before is not
 * marked, or a dialogue, of which all turns are.
 */
export type Marked = { id: string; language: string; style: string; turns: Turn[] };
export type Turn = Said & { isMarked: boolean };
type Said = { speaker: string; text: string };
type Line = { id: string; language: string; style?: string } & (
  | { speaker: string; before: Said[]; text: string }
  | { turns: Said[] }
);

export type Score = {
  /** Places that are marked, those of them that are gone, and those of which something is. */
  marks: number;
  found: number;
  touched: number;
  /** Turns that lost something that is not marked, by kind. */
  extras: number;
};

export type Outcome = { kind: string; language: string; score: Score };
export type Miss = { id: string; kind: string; redacted: string };
export type Measurement = { outcomes: Outcome[]; misses: Miss[]; extras: Miss[] };

/** Kinds of a set, by the kind that takes them out. The first one stands for what is taken out without being marked. */
const KINDS: Record<RedactionKind, readonly string[]> = {
  card_number: ['card'],
  card_expiry: ['card_expiry'],
  security_code: ['code', 'card_code'],
  pin: ['password', 'pin'],
  password: ['password'],
  national_id: ['national_id'],
  phone_number: ['phone'],
  email: ['email'],
  date_of_birth: ['birth_date'],
  iban: ['iban'],
  bank_account: ['account'],
  address: ['address'],
  name: ['name'],
};

/** Without a tagger of its own that of the product; null for the rules alone. */
export type MeasureOptions = { names: boolean; tagger?: Tagger | null };

/** One a line, as JSON. */
export function readMarked(lines: string): Marked[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const { id, language, style = 'spoken', ...said } = JSON.parse(line) as Line;
      if ('turns' in said)
        return { id, language, style, turns: said.turns.map((turn) => ({ ...turn, isMarked: true })) };
      const { before, speaker, text } = said;
      const turns = [...before.map((turn) => ({ ...turn, isMarked: false })), { speaker, text, isMarked: true }];
      return { id, language, style, turns };
    });
}

/** Takes out of each call what would be taken out of it, and holds that against the marks. */
export function measure(all: readonly Marked[], options: MeasureOptions): Measurement {
  const measurement: Measurement = { outcomes: [], misses: [], extras: [] };
  for (const marked of all) {
    const taken = redact(marked, options);
    for (const [index, turn] of marked.turns.entries()) {
      const own = taken[index];
      if (turn.isMarked && own) measureTurn(measurement, { marked, turn, taken: own });
    }
  }
  return measurement;
}

type Measured = { marked: Marked; turn: Turn; taken: Taken };

function measureTurn({ outcomes, misses, extras }: Measurement, { marked, turn, taken }: Measured): void {
  const { id, language } = marked;
  const { text, marks } = unmark(turn.text);
  const { spans, redacted } = taken;
  for (const { kind, from, to } of marks) {
    const telling = readTokens(text, 0).filter((token) => token.from >= from && token.to <= to && isTelling(token));
    const gone = telling.filter((token) => spans.some((span) => span.from < token.to && token.from < span.to));
    const isFound = gone.length === telling.length;
    const score = { marks: 1, found: Number(isFound), touched: Number(gone.length > 0), extras: 0 };
    outcomes.push({ kind, language, score });
    if (!isFound) misses.push({ id, kind, redacted });
  }
  const outside = spans.filter((span) => !marks.some(({ from, to }) => span.from < to && from < span.to));
  for (const kind of new Set(outside.map((span) => KINDS[span.kind][0] ?? span.kind))) {
    outcomes.push({ kind, language, score: { marks: 0, found: 0, touched: 0, extras: 1 } });
    extras.push({ id, kind, redacted });
  }
}

export function sumScores(outcomes: readonly Outcome[]): Score {
  const sum: Score = { marks: 0, found: 0, touched: 0, extras: 0 };
  for (const { score } of outcomes) {
    sum.marks += score.marks;
    sum.found += score.found;
    sum.touched += score.touched;
    sum.extras += score.extras;
  }
  return sum;
}

/** Null where nothing is marked. */
export function recallOf({ found, marks }: Score): number | null {
  return marks === 0 ? null : found / marks;
}

/** Of what was taken out, what was marked. Null where nothing was taken out. */
export function precisionOf({ touched, extras }: Score): number | null {
  return touched + extras === 0 ? null : touched / (touched + extras);
}

export type Mark = { kind: string; from: number; to: number };

export function unmark(marked: string): { text: string; marks: Mark[] } {
  const marks: Mark[] = [];
  let text = '';
  let at = 0;
  for (const mark of marked.matchAll(/⟦(\w+):([^⟧]*)⟧/gu)) {
    const [whole, kind = '', inner = ''] = mark;
    text += marked.slice(at, mark.index);
    marks.push({ kind, from: text.length, to: text.length + inner.length });
    text += inner;
    at = mark.index + whole.length;
  }
  return { text: text + marked.slice(at), marks };
}

type Taken = { spans: { kind: RedactionKind; from: number; to: number }[]; redacted: string };

function redact({ turns }: Marked, { names, tagger }: MeasureOptions): Taken[] {
  const { spans, segments } = redactTranscript(toSegments(turns), { names }, tagger);
  return segments.map(({ id, text }) => ({ spans: spans.filter(({ segmentId }) => segmentId === id), redacted: text }));
}

/** Without marks. */
export function toSegments(turns: readonly Said[]): Segment[] {
  let startMs = 0;
  return turns.map(({ speaker, text }, index) => {
    const segment = toSegment({
      text: unmark(text).text,
      speaker: speaker === 'agent' ? 'A' : 'C',
      index,
      startMs,
    });
    startMs = segment.endMs + 300;
    return segment;
  });
}

/** Said between the parts of a value: tells nothing of it. */
const FILLERS = new Set(
  'uh um er erm ah oh no sorry wait hang on and then the is or äh ähm nein nee moment und oder die der das ist eh este no perdón perdona espere y o el la э ээ ой не нет нету или и это то ли года году год'.split(
    ' ',
  ),
);

export function isTelling({ kind, word }: Token): boolean {
  return kind !== 'word' || !FILLERS.has(word) || [...word].length === 1;
}
