import { describe, expect, it } from 'vitest';
import { WAYS } from '../../src/scoring/roles/chain.ts';
import { fittedTrust } from '../../src/scoring/roles/fitted-trust.ts';
import { trusted, trustFeatures } from '../../src/scoring/roles/trust.ts';
import { fitTrust } from '../bench/roles/fit-trust.ts';

/** People of whom nothing tells that the next one to speak is another one. */
function unlinked(scores: readonly number[]) {
  return { scores: Float64Array.from(scores), ways: new Float64Array(WAYS * Math.max(0, scores.length - 1)) };
}

const brief = [4, 4, 4, 4, 4, 4];

describe('how far a role can be trusted', () => {
  it('is less where the rest of the call is unclear', () => {
    const [clear] = trusted(unlinked([3, -3, 3, -3, 3, -3]), brief);
    const [unclear] = trusted(unlinked([3, 0, 0.2, -0.1, 0, 0.1]), brief);
    expect(clear).toBeGreaterThan((unclear ?? 1) + 0.1);
    expect(unclear).toBeGreaterThan(0.5);
  });

  it('counts what is clear by its words', () => {
    const chain = unlinked([3, 3, 0, 0]);
    const [much] = trusted(chain, [40, 40, 1, 1]);
    const [little] = trusted(chain, [1, 1, 40, 40]);
    expect(much).toBeGreaterThan(little ?? 1);
  });

  it('is the same for either person', () => {
    const agent = trusted(unlinked([3, -1, 2]), [4, 5, 6]);
    const customer = trusted(unlinked([-3, 1, -2]), [4, 5, 6]);
    for (const [at, likely] of agent.entries()) expect(likely).toBeCloseTo(1 - (customer[at] ?? 0), 9);
  });

  it('never turns a role round, and has no opinion without evidence', () => {
    const likely = trusted(unlinked([2, -2, 0]), brief, [-5, 0, 0, 0, 0, 0, 0]);
    expect([...likely]).toEqual([0.5, 0.5, 0.5]);
  });

  it('says nothing of a call without words', () => {
    expect([...trusted(unlinked([]), [])]).toEqual([]);
    expect([...trusted(unlinked([0, 0]), [0, 0])].every((likely) => likely >= 0.5 && likely <= 1)).toBe(true);
  });

  it('is fitted to how often roles turned out to be right', () => {
    const judged = Array.from({ length: 4000 }, (_, at) => {
      const sure = at % 2 === 0;
      return { values: [1, sure ? 1 : 0], isRight: at % 20 < (sure ? 18 : 12) || at % 20 === 19, words: 1 };
    });
    const share = (sure: boolean): number => {
      const of = judged.filter(({ values }) => (values[1] === 1) === sure);
      return of.filter(({ isRight }) => isRight).length / of.length;
    };
    const [base = 0, more = 0] = fitTrust(judged);
    expect(1 / (1 + Math.exp(-base))).toBeCloseTo(share(false), 1);
    expect(1 / (1 + Math.exp(-base - more))).toBeCloseTo(share(true), 1);
  });

  it('reads as many values as are fitted', () => {
    const [first] = trustFeatures(unlinked([1, 2]), [3, 4]);
    expect(first?.values).toHaveLength(fittedTrust.length);
  });
});
