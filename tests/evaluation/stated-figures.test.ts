import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGREEMENT_FIGURES } from '../../src/model/agreement-figures.ts';
import { tellAgreement } from '../../src/model/agreement.ts';
import type { Judgement } from './figures.ts';
import { blockOf, drawCurve, figuresOf } from './stated.ts';

function textOf(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
}

function judgement(given: Judgement['given'], confidence: number): Judgement {
  const place = { call: 'c', language: 'en', trade: 't', style: 'typed', isContested: false, why: '' };
  return { ...place, key: 'k', given, truth: 'pass', confidence, weight: 1 };
}

describe('the figures that users are told', () => {
  it('are the generated ones, in a sentence of the README', () => {
    expect(blockOf(textOf('README.md'), 'agreement')).toBe(tellAgreement());
  });

  it('are possible, and of more than a few calls', () => {
    const { calls, answers, given, agreeing } = AGREEMENT_FIGURES;
    expect(calls).toBeGreaterThan(50);
    expect(answers).toBeGreaterThan(given);
    expect(given).toBeGreaterThan(agreeing);
    expect(agreeing).toBeGreaterThan(0);
  });

  it('count answers given, those that agree, and what is left to a person', () => {
    const figures = figuresOf([judgement('pass', 1), judgement('fail', 1), judgement('needs_review', 1)]);
    expect(figures).toEqual({ calls: 1, answers: 3, given: 2, agreeing: 1 });
    expect(tellAgreement({ calls: 9, answers: 100, given: 60, agreeing: 57 })).toBe(
      'Of 100 answers given, 95 agree with a careful reader; 40 of 100 are left to you.',
    );
  });

  it('have a curve in docs/scoring.md that begins with the same share of agreement', () => {
    const curve = blockOf(textOf('docs/scoring.md'), 'curve') ?? '';
    const { given, agreeing } = AGREEMENT_FIGURES;
    expect(curve).toContain('xychart-beta');
    expect(/^\| any +\| [\d.]+ % *\| ([\d.]+) % *\|$/mu.exec(curve)?.[1]).toBe(((100 * agreeing) / given).toFixed(1));
  });

  it('draw a curve with a point for each share that is judged', () => {
    const lines = drawCurve([judgement('pass', 0.99), judgement('fail', 0.55)]).split('\n');
    expect(lines.filter((line) => line.startsWith('| ')).slice(2)).toEqual([
      '| any           | 100.0 % | 50.0 %  |',
      '| at least 0.60 | 50.0 %  | 100.0 % |',
    ]);
  });
});
