import { describe, expect, it } from 'vitest';
import type { CheckAnswer, CheckResult, ComplianceFinding } from '../../src/model/scorecard.ts';
import {
  complianceStatusOf,
  computeScores,
  scoreOfAnswer,
  scoreReviewed,
  weightedMean,
} from '../../src/scoring/arithmetic.ts';
import type { Rubric } from '../../src/model/rubric.ts';
import { pick, seededRandom } from '../support/random.ts';
import { answersOf, score } from './corpus.ts';
import { CALLS } from './rubric-cases.ts';

type Row = [category: string, weight: number, answer: CheckAnswer, critical?: boolean];

function results(rows: Row[]): CheckResult[] {
  return rows.map(([category, weight, answer, critical = false], index) => ({
    key: `check${String(index)}`,
    category,
    title: 'a check',
    weight,
    critical,
    answer,
    score: scoreOfAnswer(answer),
    rationale: '',
    evidence: [],
  }));
}

const categories = (critical = false): Rubric => ({
  compliance: [],
  categories: [
    { key: 'a', title: 'A', weight: 15, critical: false, checks: [] },
    { key: 'b', title: 'B', weight: 40, critical, checks: [] },
  ],
});

/** The mean of whole weights, rounded half up in whole numbers: remainders instead of fractions. */
function meanOfWhole(parts: readonly { whole: number; score: number | null }[]): number | null {
  const judged = parts.flatMap(({ whole, score }) => (score === null ? [] : [{ whole, score }]));
  const weights = judged.reduce((sum, { whole }) => sum + whole, 0);
  if (weights === 0) return null;
  const points = judged.reduce((sum, { whole, score }) => sum + whole * score, 0);
  const rest = points % weights;
  return (points - rest) / weights + (2 * rest >= weights ? 1 : 0);
}

describe('the score', () => {
  it('is the weighted mean of the categories, and they of their checks', () => {
    const checks = results([
      ['a', 3, 'pass'],
      ['a', 2, 'fail'],
      ['b', 5, 'partial'],
      ['b', 1, 'pass'],
    ]);
    // a: 300/5 = 60; b: (250+100)/6 = 58.33; (15*60 + 40*58)/55 = 58.55
    expect(computeScores(categories(), checks)).toEqual({
      qualityScore: 59,
      judgedShare: 1,
      needsReviewCount: 0,
      categories: { a: 60, b: 58 },
    });
  });

  it('leaves out what does not apply or is in doubt, and whole categories of such checks', () => {
    const checks = results([
      ['a', 3, 'not_applicable'],
      ['a', 9, 'needs_review'],
      ['b', 5, 'pass'],
      ['b', 5, 'not_applicable'],
    ]);
    expect(computeScores(categories(), checks)).toEqual({
      qualityScore: 100,
      judgedShare: 0.727,
      needsReviewCount: 1,
      categories: { a: null, b: 100 },
    });
  });

  it('is null where nothing applies', () => {
    expect(computeScores(categories(), results([['a', 1, 'not_applicable']]))).toEqual({
      qualityScore: null,
      judgedShare: null,
      needsReviewCount: 0,
      categories: { a: null, b: null },
    });
  });

  it('says how much of the weight was judged: what does not apply does not count, what is in doubt is not judged', () => {
    const checks = results([
      ['a', 1, 'not_applicable'],
      ['b', 3, 'pass'],
      ['b', 1, 'needs_review'],
      ['b', 4, 'not_applicable'],
    ]);
    // Nothing of a applies, so that b is all there is.
    expect(computeScores(categories(), checks)).toMatchObject({ judgedShare: 0.75, needsReviewCount: 1 });
    const both = results([
      ['a', 1, 'needs_review'],
      ['a', 2, 'pass'],
      ['b', 5, 'pass'],
    ]);
    // (15 × 2/3 + 40) / 55 = 0.90909…
    expect(computeScores(categories(), both)).toMatchObject({ judgedShare: 0.909, needsReviewCount: 1 });
  });

  it('is null where less was judged than the rubric asks for, by default 0.6', () => {
    const half = results([
      ['b', 1, 'pass'],
      ['b', 1, 'needs_review'],
    ]);
    expect(computeScores(categories(), half)).toEqual({
      qualityScore: null,
      judgedShare: 0.5,
      needsReviewCount: 1,
      categories: { a: null, b: 100 },
    });
    expect(computeScores({ ...categories(), judgedShareMin: 0.5 }, half).qualityScore).toBe(100);
    expect(computeScores({ ...categories(), judgedShareMin: 0.501 }, half).qualityScore).toBeNull();
  });

  it.each([
    [3, 2, 100],
    [0.3, 0.2, 100],
    [5.999, 4.001, null],
  ])('takes exactly 0.6 for 0.6 (%d judged, %d not)', (judged, open, expected) => {
    const checks = results([
      ['a', judged, 'pass'],
      ['a', open, 'needs_review'],
    ]);
    expect(computeScores(categories(), checks).qualityScore).toBe(expected);
  });

  it('never rounds up to a share that was not judged', () => {
    const checks = results([
      ['a', 9999, 'pass'],
      ['a', 1, 'needs_review'],
    ]);
    expect(computeScores(categories(), checks).judgedShare).toBe(0.999);
  });

  it('is capped at 49 by a failed critical check, and not raised to it', () => {
    const rows: Row[] = [
      ['a', 100, 'pass'],
      ['b', 100, 'pass'],
      ['b', 1, 'fail', true],
    ];
    expect(computeScores(categories(), results(rows)).qualityScore).toBe(49);
    expect(
      computeScores(
        categories(),
        results([
          ['a', 1, 'fail'],
          ['b', 1, 'fail', true],
        ]),
      ).qualityScore,
    ).toBe(0);
    expect(
      computeScores(
        categories(),
        results([
          ['a', 1, 'pass'],
          ['b', 1, 'partial', true],
        ]),
      ).qualityScore,
    ).toBe(64);
  });

  it('is capped by a critical category below 50', () => {
    const rows: Row[] = [
      ['a', 1, 'pass'],
      ['b', 3, 'fail'],
      ['b', 2, 'pass'],
    ];
    expect(computeScores(categories(false), results(rows)).qualityScore).toBe(56);
    expect(computeScores(categories(true), results(rows)).qualityScore).toBe(49);
  });

  it('rounds half up', () => {
    expect(
      weightedMean([
        { weight: 1, score: 0 },
        { weight: 1, score: 1 },
      ]),
    ).toBe(1);
  });

  it.each([
    [[5, 10, 45], [0, 0, 50], 38],
    [[0.05, 0.1, 0.45], [0, 0, 50], 38],
    [[0.05, 0.1, 0.45], [50, 50, 100], 88],
    [[0.5, 1, 4.5], [100, 100, 50], 63],
    [[0.000_05, 0.000_1, 0.000_45], [50, 50, 0], 13],
    [[0.1 + 0.2, 0.3], [0, 1], 1],
  ])('rounds half up with the weights %j', (weights, scores, expected) => {
    expect(weightedMean(weights.map((weight, index) => ({ weight, score: scores[index] ?? null })))).toBe(expected);
  });

  it('is the same when all weights are scaled by a power of ten, as decimals or by a program that multiplies', () => {
    const random = seededRandom(20_261_122);
    const differing: unknown[] = [];
    for (let round = 0; round < 4_000; round += 1) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
        whole: Math.floor(random() * pick(random, [12, 60, 2_000])),
        score: pick(random, [0, 50, 50, 100, null, Math.floor(random() * 101)]),
      }));
      const expected = meanOfWhole(parts);
      for (let power = -9; power <= 0; power += 1) {
        const asDecimal = parts.map(({ whole, score }) => ({ weight: Number(`${whole}e${power}`), score }));
        const multiplied = parts.map(({ whole, score }) => ({ weight: whole * 0.1 ** -power, score }));
        const means = [weightedMean(asDecimal), weightedMean(multiplied)];
        if (means.some((mean) => mean !== expected)) differing.push({ parts, power, expected, means });
      }
    }
    expect(differing).toEqual([]);
  });

  it('caps a whole call for one insult', () => {
    const rude = score(CALLS.GOOD_CALL.replace('I have the calendar here on my screen.', 'You are an idiot.'));
    expect(answersOf(rude)['professionalism.respect']).toBe('fail');
    expect(rude.categories['professionalism']).toBe(55);
    expect(rude.qualityScore).toBe(49);
  });
});

describe('the score after a review', () => {
  const rescored = (rows: Row[], changes: Record<string, number | null>, critical = false): number | null => {
    const checks = results(rows);
    const automatic = computeScores(categories(critical), checks).categories;
    const reviewed = { ...automatic, ...changes };
    const scored = new Set(Object.keys(changes));
    return scoreReviewed(categories(critical), { checks, automatic, reviewed, scored }).qualityScore;
  };
  const failing: Row[] = [
    ['a', 1, 'pass'],
    ['b', 9, 'pass'],
    ['b', 1, 'fail', true],
  ];

  it('is the automatic one where nothing is changed', () => {
    for (const critical of [true, false]) {
      for (const answer of ['pass', 'partial', 'fail', 'not_applicable', 'needs_review'] as const) {
        const rows: Row[] = [
          ['a', 2, 'partial'],
          ['b', 1, answer, true],
          ['b', 2, 'pass'],
        ];
        expect(rescored(rows, {}, critical)).toBe(computeScores(categories(critical), results(rows)).qualityScore);
      }
    }
  });

  it('appears as soon as the reviewer has settled enough, and says how much that is', () => {
    const checks = results([
      ['a', 1, 'pass'],
      ['b', 3, 'pass'],
      ['b', 7, 'needs_review'],
    ]);
    const automatic = computeScores(categories(), checks);
    expect(automatic).toMatchObject({ qualityScore: null, judgedShare: 0.49, needsReviewCount: 1 });
    const after = (changes: Record<string, number | null>): unknown =>
      scoreReviewed(categories(), {
        checks,
        automatic: automatic.categories,
        reviewed: { ...automatic.categories, ...changes },
        scored: new Set(Object.keys(changes)),
      });
    expect(after({ a: 0 })).toEqual({ qualityScore: null, judgedShare: 0.49, needsReviewCount: 1 });
    // The same score as that of the three tenths that were judged, now said of all of it.
    expect(after({ b: 100 })).toEqual({ qualityScore: 100, judgedShare: 1, needsReviewCount: 0 });
    expect(after({ b: 40 })).toEqual({ qualityScore: 56, judgedShare: 1, needsReviewCount: 0 });
    expect(after({ b: null })).toEqual({ qualityScore: 100, judgedShare: 1, needsReviewCount: 0 });
  });

  it('is the weighted mean of what the reviewer says, without what they leave out', () => {
    expect(
      rescored(
        [
          ['a', 1, 'pass'],
          ['b', 1, 'pass'],
        ],
        { b: 40 },
      ),
    ).toBe(56);
    expect(
      rescored(
        [
          ['a', 1, 'partial'],
          ['b', 1, 'pass'],
        ],
        { b: null },
      ),
    ).toBe(50);
    expect(
      rescored(
        [
          ['a', 1, 'pass'],
          ['b', 1, 'pass'],
        ],
        { a: null, b: null },
      ),
    ).toBeNull();
  });

  it('stays capped by a failed critical check until its own category is scored anew', () => {
    expect(rescored(failing, { a: 90 })).toBe(49);
    expect(rescored(failing, { b: 49 })).toBe(49);
    expect(rescored(failing, { b: 50 })).toBe(64);
    expect(rescored(failing, { b: null })).toBe(100);
  });

  it('is capped by a critical category that the reviewer sees below 50', () => {
    expect(
      rescored(
        [
          ['a', 1, 'pass'],
          ['b', 1, 'pass'],
        ],
        { b: 49 },
        true,
      ),
    ).toBe(49);
    expect(
      rescored(
        [
          ['a', 1, 'pass'],
          ['b', 1, 'pass'],
        ],
        { b: 50 },
        true,
      ),
    ).toBe(64);
  });
});

describe('the compliance status', () => {
  const found = (answer: CheckAnswer, severity: ComplianceFinding['severity']): ComplianceFinding => ({
    key: 'k',
    title: 't',
    severity,
    answer,
    rationale: '',
    evidence: [],
  });
  it.each([
    [[], 'not_applicable'],
    [[found('pass', 'high'), found('not_applicable', 'low')], 'passed'],
    [[found('fail', 'high'), found('pass', 'low')], 'failed'],
    [[found('fail', 'medium')], 'needs_review'],
    [[found('fail', 'low')], 'needs_review'],
    [[found('needs_review', 'high')], 'needs_review'],
  ] as const)('of %j is %s', (findings, status) => {
    expect(complianceStatusOf(findings)).toBe(status);
  });
});
