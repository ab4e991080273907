import { STEPS, type CommonWords } from '../../../src/redaction/tagger/common-words.ts';
import { LABELS } from '../../../src/redaction/tagger/labels.ts';
import type { PackedTagger } from '../../../src/redaction/tagger/packed-tagger.ts';
import type { Fitted } from './fit.ts';

const SIZE: number = LABELS.length;
/** A weight of less than this is left out, and a place with none of more than that. */
const valueMin = 0.03;
const placeMin = 0.2;

/** A byte a weight, for the weights that count. */
export function packTagger({ values, steps }: Fitted, common: CommonWords, { least = placeMin } = {}): PackedTagger {
  const most = new Float64Array(SIZE).fill(1e-6);
  for (const [at, value] of values.entries()) most[at % SIZE] = Math.max(most[at % SIZE] ?? 0, Math.abs(value));
  const scales = Array.from(most, (value) => Number((value / 127).toPrecision(6)));
  const bytes: number[] = [];
  let last = 0;
  for (let place = 0; place < values.length / SIZE; place += 1) {
    const row = values.subarray(place * SIZE, (place + 1) * SIZE);
    if (!row.some((value) => Math.abs(value) >= least)) continue;
    const worth = Array.from(row, (value, label) =>
      Math.abs(value) < valueMin ? 0 : Math.round(value / (scales[label] ?? 1)),
    );
    addNumber(bytes, place - last);
    addNumber(
      bytes,
      worth.reduce((mask, value, label) => (value === 0 ? mask : mask | (1 << label)), 0),
    );
    bytes.push(...worth.filter((value) => value !== 0).map((value) => value & 0xff));
    last = place;
  }
  return {
    scales,
    steps: Array.from(steps, (step) => Math.round(step * 1000)),
    rows: base64(bytes),
    common: packCommon(common),
  };
}

/** The steps of words by the number of texts that have them. */
export function stepOf(texts: number): number {
  return STEPS.filter((least) => texts >= least).length;
}

function packCommon(common: CommonWords): string {
  const bytes: number[] = [];
  let last = 0;
  for (const [place, step] of common.entries()) {
    if (step === 0) continue;
    addNumber(bytes, ((place - last) << 2) | step);
    last = place;
  }
  return base64(bytes);
}

function addNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
}

function base64(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('base64');
}

export function writeTagger(packed: PackedTagger): string {
  const head = "import type { PackedTagger } from './packed-tagger.ts';\n\n/** Made by `npm run train:redaction`. */\n";
  return `${head}export const TAGGER: PackedTagger = ${JSON.stringify(packed)};\n`;
}
