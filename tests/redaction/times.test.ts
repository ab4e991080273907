import { expect, it } from 'vitest';
import type { Segment } from '../../src/model/transcript.ts';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { toSegment } from './marked.ts';

const number = 'one two five five five oh one eight seven';

/** When silence begins in a segment, and the number in it: words of 400 ms, of these confidences. */
function startOf(
  text: string,
  confidences: Record<number, number | null> = {},
): [silent: number | undefined, said: number] {
  const said = toSegment({ text });
  const words = said.words.map((word, at) => {
    const given = confidences[at];
    return given === undefined ? word : { ...word, confidence: given };
  });
  const segment: Segment = { ...said, words };
  // By the rules alone: what was learned takes the misheard figure itself.
  const { segments, redactions } = redactTranscript([segment], { names: false }, null);
  const placeholder = segments[0]?.words.find(({ text }) => text === '[phone number]');
  return [redactions[0]?.startMs, placeholder?.startMs ?? -1];
}

it('is silent from the first figure on where the recogniser is sure of it', () => {
  expect(startOf(`my phone number is two ${number}`)).toEqual([1600, 1600]);
});

it('is silent from the word before on where that may be a misheard figure', () => {
  expect(startOf(`my phone number is too ${number}`)).toEqual([1600, 2000]);
  expect(startOf(`meine Telefonnummer ist zwar zwei eins zwei fünf fünf fünf null eins acht sieben`)).toEqual([
    1200, 1600,
  ]);
});

it('is silent from the word before on where the recogniser is unsure of the first figure, or tells nothing', () => {
  expect(startOf(`my phone number is two ${number}`, { 4: 0.4 })).toEqual([1200, 1600]);
  expect(startOf(`my phone number is two ${number}`, { 4: null })).toEqual([1200, 1600]);
  expect(startOf(`my phone number is two ${number}`, { 3: 0.3 })).toEqual([1200, 1600]);
});

it('begins no earlier than the segment', () => {
  expect(startOf(`two ${number} is my phone number`, { 0: 0.2 })).toEqual([0, 0]);
});
