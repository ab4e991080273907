import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agreementOf, curveOf, kappaOf, median, wilson, type Judgement } from './figures.ts';
import { comparePair, judgeLabelled, judgePair, judgeSnippet } from './judge.ts';
import { partOf, readLabelled, toTranscript, withVariants } from './labelled.ts';
import { readLearning } from './training/learning.ts';

const folder = fileURLToPath(new URL('../learning/', import.meta.url));
const files = readdirSync(folder).filter((name) => /^calls-.*\.jsonl$/u.test(name));
const calls = files.flatMap((name) => readLabelled(readFileSync(folder + name, 'utf8')).calls);

describe('the figures', () => {
  it('have kappa leave out what chance agrees on', () => {
    const table = [
      ...Array.from({ length: 20 }, () => ({ given: 'pass', truth: 'pass' }) as const),
      ...Array.from({ length: 5 }, () => ({ given: 'pass', truth: 'fail' }) as const),
      ...Array.from({ length: 10 }, () => ({ given: 'fail', truth: 'pass' }) as const),
      ...Array.from({ length: 15 }, () => ({ given: 'fail', truth: 'fail' }) as const),
    ];
    expect(kappaOf(table)).toBeCloseTo(0.4, 10);
    expect(kappaOf([{ given: 'pass', truth: 'pass' }])).toBeNull();
  });

  it("have Wilson's interval", () => {
    const [low, high] = wilson(45, 50);
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.7864', '0.9565']);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });

  it('count what was left to a person as not judged, never as wrong', () => {
    const judged = agreementOf([
      judgement('pass', 'pass', 3),
      judgement('fail', 'pass', 1),
      judgement('needs_review', 'pass', 4),
    ]);
    expect(judged).toMatchObject({ answers: 3, judged: 2, right: 1, agreement: 0.5, coverage: 0.5 });
  });

  it('trade coverage for agreement along the confidence', () => {
    const curve = curveOf([judgement('pass', 'pass', 1, 0.97), judgement('fail', 'pass', 1, 0.62)]);
    expect(curve.find(({ confidence }) => confidence === 0.5)).toMatchObject({ coverage: 1, agreement: 0.5 });
    expect(curve.find(({ confidence }) => confidence === 0.9)).toMatchObject({ coverage: 0.5, agreement: 1 });
  });

  it('have a median', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, null]);
  });
});

describe('the labelled calls', () => {
  it('are 232 in four languages, split into thirds by their ids alone', () => {
    expect(calls).toHaveLength(232);
    const parts = Map.groupBy(calls, ({ id }) => partOf(id));
    for (const part of ['learn', 'tune', 'hold'] as const) expect(parts.get(part)?.length ?? 0).toBeGreaterThan(60);
    expect(partOf('l-en-001')).toBe(partOf('l-en-001'));
  });

  it('are scored with the answers of the reader beside those of the rules', () => {
    const [first] = calls;
    if (!first) throw new Error('no call');
    const { judgements, scoreError } = judgeLabelled(first);
    expect(judgements).toHaveLength(15);
    expect(judgements.filter(({ weight }) => weight > 0)).toHaveLength(13);
    expect(scoreError).not.toBeUndefined();
  });

  it('get times where they have none, and keep those that they have', () => {
    const utterances = [
      { role: 'agent' as const, text: 'good morning', acts: [] },
      { role: 'customer' as const, text: 'hello', startMs: 9000, endMs: 9500, acts: [] },
    ];
    const { transcript, durationMs } = toTranscript({ id: 'x', language: 'en', style: 'spoken', utterances });
    expect(transcript.segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [500, 1300],
      [9000, 9500],
    ]);
    expect([transcript.source, durationMs]).toEqual(['speech-to-text', 10_000]);
  });
});

describe('variants of a call', () => {
  it('are calls of their own that differ in one utterance and in the answers that it changes', () => {
    const utterances = [
      { role: 'agent', text: 'Good morning.', acts: ['greeting'] },
      { role: 'customer', text: 'My order has not come.', acts: ['need'] },
    ];
    const line = {
      id: 'v',
      language: 'en',
      utterances,
      answers: { 'greeting.opens': 'pass', 'closing.more': 'fail' },
      compliance: { 'compliance.pressure': 'pass' },
      variants: [
        { changed: 0, text: 'Right.', acts: [], answers: { 'greeting.opens': 'fail', 'compliance.pressure': 'fail' } },
      ],
    };
    const [read] = readLabelled(JSON.stringify(line)).calls;
    if (!read) throw new Error('no call');
    const strange = { ...line, variants: [{ changed: 7, text: 'Right.', acts: [], answers: {} }] };
    expect(() => readLabelled(JSON.stringify(strange)).calls.flatMap(withVariants)).toThrow('Variant 1 of v');
    const [call, variant] = withVariants(read);
    expect(call).toMatchObject({ id: 'v', utterances, answers: line.answers, variants: [] });
    expect(variant).toMatchObject({
      id: 'v 1',
      utterances: [{ text: 'Right.', acts: [] }, utterances[1]],
      answers: { 'greeting.opens': 'fail', 'closing.more': 'fail' },
      compliance: { 'compliance.pressure': 'fail' },
    });
  });

  it('are learned from beside their call, and never apart from it', () => {
    const groups = readLearning().calls.filter((group) => group.length > 1);
    expect(groups).toHaveLength(544);
    for (const [call, ...variants] of groups) {
      expect(variants).toHaveLength(8);
      for (const { id, utterances } of variants) {
        expect(id.startsWith(`${call?.id ?? ''} `)).toBe(true);
        expect(utterances.filter(({ text }, at) => text !== call?.utterances[at]?.text)).toHaveLength(1);
      }
    }
  });
});

describe('snippets and pairs', () => {
  it('are told apart from calls, and judged by the check that they are about', () => {
    const utterances = [{ role: 'agent', text: 'You are an idiot and it is your own fault, you idiot.' }];
    const { snippets } = readLabelled(
      JSON.stringify({ id: 's', language: 'en', check: 'respect', truth: 'guilty', target: 0, utterances }),
    );
    const [snippet] = snippets;
    if (!snippet) throw new Error('no snippet');
    expect(judgeSnippet(snippet)).toMatchObject({ snippet: { about: 'professionalism.respect' }, answer: 'fail' });
  });

  it('are right where the one answer changes that should', () => {
    const side = (hello: string, answer: string): unknown => ({
      utterances: [
        { role: 'agent', text: hello },
        { role: 'customer', text: 'I would like to cancel my booking for Tuesday please.' },
      ],
      answers: { 'greeting.opens': answer },
    });
    const line = { id: 'p', language: 'en', changed: 0, a: side('Good morning.', 'pass'), b: side('Right.', 'fail') };
    const [pair] = readLabelled(JSON.stringify(line)).pairs;
    if (!pair) throw new Error('no pair');
    expect(judgePair(pair).expected).toEqual(['greeting.opens']);
  });

  it('are honest where one side is left to a listener, and neither where anything else changes', () => {
    const utterances = [{ role: 'agent', text: 'Good morning.' }];
    const side = (answer: string): unknown => ({
      utterances,
      answers: { 'greeting.opens': answer, 'closing.more': 'pass' },
    });
    const [pair] = readLabelled(JSON.stringify({ id: 'p', language: 'en', a: side('pass'), b: side('fail') })).pairs;
    if (!pair) throw new Error('no pair');
    type Given = 'pass' | 'fail' | 'needs_review';
    const counted = (opens: readonly [Given, Given], more: Given = 'pass'): boolean[] => {
      const { isRight, isHonest } = comparePair(pair, [
        new Map([
          ['greeting.opens', opens[0]],
          ['closing.more', 'pass' as const],
        ]),
        new Map([
          ['greeting.opens', opens[1]],
          ['closing.more', more],
        ]),
      ]);
      return [isRight, isHonest];
    };
    expect(counted(['pass', 'fail'])).toEqual([true, true]);
    expect(counted(['pass', 'needs_review'])).toEqual([false, true]);
    expect(counted(['needs_review', 'needs_review'])).toEqual([false, false]);
    expect(counted(['needs_review', 'pass'])).toEqual([false, false]);
    expect(counted(['pass', 'fail'], 'needs_review')).toEqual([false, false]);
  });

  it('refuses a line that is none of them, by its number', () => {
    expect(() => readLabelled('\n{"id":"x"}')).toThrow('Line 2');
  });
});

function judgement(given: Judgement['given'], truth: Judgement['truth'], weight: number, confidence = 1): Judgement {
  const place = { call: 'c', key: 'k', language: 'en', trade: 't', style: 'typed', isContested: false, why: '' };
  return { ...place, given, truth, weight, confidence };
}
