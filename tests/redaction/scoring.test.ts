import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { readConversation } from '../../src/redaction/conversation.ts';
import { findByRules, hear } from '../../src/redaction/detect.ts';
import { readCall, take } from '../../src/redaction/tagger/call.ts';
import { featuresOf } from '../../src/redaction/tagger/features.ts';
import { LABELS } from '../../src/redaction/tagger/labels.ts';
import { findLearned, readCallWith } from '../../src/redaction/tagger/learned-spans.ts';
import { addRow } from '../../src/redaction/tagger/row-table.ts';
import { keysOf, scoresOf } from '../../src/redaction/tagger/scoring.ts';
import { learnedTagger } from '../../src/redaction/tagger/tagger.ts';
import { viewOf } from '../../src/redaction/tagger/turn-view.ts';
import { readMarked, toSegments } from './measuring.ts';

const tagger = learnedTagger();
const calls = ['first-sealed-set', 'second-sealed-set', 'third-set-en', 'third-set-de', 'third-set-es', 'third-set-ru']
  .flatMap((name) => readMarked(readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8')))
  .filter((_, index) => index % 3 === 0)
  .map(({ turns }) => {
    const segments = toSegments(turns);
    const conversation = readConversation(segments);
    return hear(conversation, segments, findByRules(conversation, segments, { names: true }));
  });

it('adds up the same weights as when each feature is looked up by itself', () => {
  const size = LABELS.length;
  for (const heard of calls) {
    const call = readCall(heard, tagger.common);
    for (const turn of call.turns.keys()) {
      const view = viewOf(call, turn);
      const { places, starts } = featuresOf(call, view);
      const sums = new Int32Array((view.to - view.from) * size);
      for (let token = 0; token < starts.length - 1; token += 1) {
        const target = { sums, own: token * size };
        for (const place of places.subarray(starts[token], starts[token + 1])) addRow(tagger.table, place, target);
      }
      const plain = Float32Array.from(sums, (sum, at) => sum * (tagger.scales[at % size] ?? 0));
      const mask = new Uint8Array(view.to - view.from).fill(1);
      expect(scoresOf(tagger, { call, view, mask, keys: keysOf(call, view, mask) })).toEqual(plain);
      take(call, turn, (at) => (at % 5 === 0 ? at % size : 0));
    }
  }
});

it.each([true, false])('finds the same without reading words that can be part of nothing (names: %s)', (names) => {
  const differ = calls.filter((heard) => {
    const [quick, thorough] = [false, true].map((isThorough) =>
      findLearned(readCallWith(tagger, heard, { names, isThorough }), heard.byRules),
    );
    return !isDeepStrictEqual(quick, thorough);
  });
  // A common word in a sentence without any other, which hardly anything speaks for.
  expect(differ.length).toBeLessThanOrEqual(1);
});
