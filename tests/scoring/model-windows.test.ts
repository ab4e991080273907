import { describe, expect, it } from 'vitest';
import { readFacts } from '../../src/scoring/facts/facts.ts';
import { estimateTokens, planWindows } from '../../src/providers/analysis/windows.ts';
import { linesOf } from '../../src/scoring/model/lines.ts';
import { type Line } from '../../src/model/question.ts';
import { call } from './corpus.ts';
import { processorMsOf } from '../support/processor-time.ts';

const line = (number: number, text: string): Line => ({
  number,
  role: 'agent',
  startMs: number * 1000,
  text,
  silenceSeconds: null,
});
const lines = (count: number, text = 'may i have your account number please'): Line[] =>
  Array.from({ length: count }, (_, index) => line(index + 1, text));
const costOf = (window: readonly Line[]): number =>
  window.reduce((sum, { text }) => sum + estimateTokens(text) + 16, 0);

describe('windows of a call', () => {
  it('are one where it fits, and none where nothing is said', () => {
    expect(planWindows(lines(20), 1000)).toEqual([lines(20)]);
    expect(planWindows([], 1000)).toEqual([]);
  });

  it.each([300, 500, 1000, 5000])('of at most %i tokens hold every line, in order, and overlap', (tokensMax) => {
    const windows = planWindows(lines(700), tokensMax);
    expect(windows.length).toBeGreaterThan(1);
    const seen = new Set(windows.flat().map(({ number }) => number));
    expect(seen.size).toBe(700);
    for (const [index, window] of windows.entries()) {
      expect(costOf(window)).toBeLessThanOrEqual(tokensMax);
      const numbers = window.map(({ number }) => number);
      expect(numbers).toEqual(Array.from(numbers, (_, offset) => (numbers[0] ?? 0) + offset));
      const before = windows[index - 1];
      expect(before?.at(-1)?.number ?? Infinity).toBeGreaterThanOrEqual(numbers[0] ?? Infinity);
    }
  });

  it.each([
    ['English', 'and then i said that '.repeat(3000)],
    ['one word without an end', 'a'.repeat(50_000)],
    ['Chinese', '我想查一下我的账户余额'.repeat(1000)],
    ['emoji', '🙂'.repeat(9000)],
  ])('cut a line that is longer than a window: %s', (_name, text) => {
    const windows = planWindows([line(1, 'hello there'), line(2, text), line(3, 'bye now')], 800);
    for (const window of windows) expect(costOf(window)).toBeLessThanOrEqual(800);
    const pieces = new Map(windows.flat().map((each) => [`${each.number} ${each.text}`, each]));
    const words = (whole: string): string => whole.replaceAll(' ', '');
    expect(words([...pieces.values()].map((each) => each.text).join('')).length).toBeLessThanOrEqual(
      words(`hello there${text}bye now`).length,
    );
    expect(windows.at(-1)?.at(-1)?.text).toBe('bye now');
  });

  it('are planned in time that grows with the length of a call alone', () => {
    expect(planWindows(lines(20_000), 2000).length).toBeGreaterThan(100);
    expect(processorMsOf(() => planWindows(lines(20_000), 2000))).toBeLessThan(4_000);
  });
});

describe('lines of a call', () => {
  it('are numbered by what is said, with who speaks and the long silences between', () => {
    const { transcript, durationMs } = call(
      'A: hello how can i help\nC: my card is gone\n~22\nA: thank you for waiting',
    );
    const facts = readFacts({ transcript, durationMs, agentName: null });
    expect(linesOf(facts).map(({ number, role, silenceSeconds }) => [number, role, silenceSeconds])).toEqual([
      [1, 'agent', null],
      [2, 'customer', null],
      [3, 'agent', 23],
    ]);
  });
});
