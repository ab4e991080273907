import type { RedactionKind } from '../../src/model/redaction.ts';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { readTokens, type Token } from '../../src/redaction/tokens.ts';
import { toSegment } from './marked.ts';

/** A line of a set: what was said before, and what is said, with what is to be taken out as `⟦kind:words⟧`. */
export type Utterance = { id: string; language: string; speaker: string; before: Said[]; text: string };
type Said = { speaker: string; text: string };

export type Score = {
  /** Places that are marked, those of them that are gone, and those of which something is. */
  marks: number;
  found: number;
  touched: number;
  /** Utterances that lost something that is not marked. */
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

export type MeasureOptions = { names: boolean };

/** One a line, as JSON. */
export function readUtterances(lines: string): Utterance[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Utterance);
}

/** Takes out of each utterance what would be taken out of its call, and holds that against the marks. */
export function measure(utterances: readonly Utterance[], { names }: MeasureOptions): Measurement {
  const measurement: Measurement = { outcomes: [], misses: [], extras: [] };
  for (const utterance of utterances) {
    const { id, language } = utterance;
    const { text, marks } = unmark(utterance.text);
    const { spans, redacted } = redact(utterance, text, { names });
    for (const { kind, from, to } of marks) {
      const telling = readTokens(text, 0).filter((token) => token.from >= from && token.to <= to && isTelling(token));
      const gone = telling.filter((token) => spans.some((span) => span.from < token.to && token.from < span.to));
      const isFound = gone.length === telling.length;
      const score = { marks: 1, found: Number(isFound), touched: Number(gone.length > 0), extras: 0 };
      measurement.outcomes.push({ kind, language, score });
      if (!isFound) measurement.misses.push({ id, kind, redacted });
    }
    const outside = spans.filter((span) => !marks.some(({ from, to }) => span.from < to && from < span.to));
    for (const kind of new Set(outside.map((span) => KINDS[span.kind][0] ?? span.kind))) {
      measurement.outcomes.push({ kind, language, score: { marks: 0, found: 0, touched: 0, extras: 1 } });
      measurement.extras.push({ id, kind, redacted });
    }
  }
  return measurement;
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

type Mark = { kind: string; from: number; to: number };

function unmark(marked: string): { text: string; marks: Mark[] } {
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

function redact({ before, speaker }: Utterance, text: string, { names }: MeasureOptions): Taken {
  let startMs = 0;
  const segments = [...before, { speaker, text }].map((said, index) => {
    const segment = toSegment({ text: said.text, speaker: said.speaker === 'agent' ? 'A' : 'C', index, startMs });
    startMs = segment.endMs + 300;
    return segment;
  });
  const last = segments.length - 1;
  const { spans, segments: redacted } = redactTranscript(segments, { names });
  return { spans: spans.filter(({ segmentId }) => segmentId === `seg_${last}`), redacted: redacted[last]?.text ?? '' };
}

/** Said between the parts of a value: tells nothing of it. */
const FILLERS = new Set(
  'uh um er erm ah oh no sorry wait hang on and then the is or äh ähm nein nee moment und oder die der das ist eh este no perdón perdona espere y o el la э ээ ой не нет нету или и это то ли года году год'.split(
    ' ',
  ),
);

function isTelling({ kind, word }: Token): boolean {
  return kind !== 'word' || !FILLERS.has(word) || [...word].length === 1;
}
