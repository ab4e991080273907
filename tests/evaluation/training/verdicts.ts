import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import { decide, type Decision } from '../../../src/scoring/opinion/decide.ts';
import { opinionOf, type Opinion } from '../../../src/scoring/opinion/opinion.ts';
import { sharesOf, softmax, together } from '../../../src/scoring/opinion/softmax.ts';
import { climb, type Trees } from '../../../src/scoring/opinion/trees.ts';
import type { OpinionKey } from '../../../src/scoring/opinion/signals.ts';
import { ANSWERS } from '../../../src/scoring/opinion/verdict-inputs.ts';
import type { Judged } from './fold.ts';
import { fitTrees, type TreeExample } from './trees.ts';

/** A line and trees for each check; see `together`. */
export type Verdicts = { lines: Record<OpinionKey, VerdictWeights>; trees: Record<OpinionKey, Trees> };

type VerdictExample = { inputs: number[]; truth: CheckAnswer };
/** One row an answer. */
type VerdictWeights = number[][];

const ROUNDS = 400;
const RATE = 0.05;

/** A softmax over the answers, by Adam over the whole set with a penalty on the squares of the weights. */
function fitVerdict(examples: readonly VerdictExample[], { penalty = 0.02 } = {}): VerdictWeights {
  const size = examples[0]?.inputs.length ?? 0;
  const inputs = examples.map((each) => Float64Array.from(each.inputs));
  const truths = examples.map(({ truth }) => ANSWERS.findIndex((answer) => answer === truth));
  const weights = ANSWERS.map(() => new Float64Array(size));
  const first = ANSWERS.map(() => new Float64Array(size));
  const second = ANSWERS.map(() => new Float64Array(size));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const slopes = weights.map((row) => row.map((weight, at) => (at === 0 ? 0 : penalty * weight)));
    for (const [index, own] of inputs.entries())
      addSlopes(slopes, { weights, inputs: own, truth: truths[index] ?? 0 }, examples.length);
    for (const [row, slope] of slopes.entries()) {
      const [own, m, v] = [weights[row], first[row], second[row]];
      if (!own || !m || !v) continue;
      for (let at = 0; at < size; at += 1) {
        const value = slope[at] ?? 0;
        m[at] = 0.9 * (m[at] ?? 0) + 0.1 * value;
        v[at] = 0.999 * (v[at] ?? 0) + 0.001 * value * value;
        const step = (m[at] ?? 0) / (1 - 0.9 ** round) / (Math.sqrt((v[at] ?? 0) / (1 - 0.999 ** round)) + 1e-8);
        own[at] = (own[at] ?? 0) - RATE * step;
      }
    }
  }
  return weights.map((row) => [...row]);
}

type Weighed = { weights: readonly Float64Array[]; inputs: Float64Array; truth: number };

function addSlopes(slopes: readonly Float64Array[], { weights, inputs, truth }: Weighed, of: number): void {
  const told = softmax(weights, inputs);
  for (const [row, target] of slopes.entries()) {
    const slope = ((told[row] ?? 0) - (row === truth ? 1 : 0)) / of;
    for (let at = 0; at < inputs.length; at += 1) target[at] = (target[at] ?? 0) + slope * (inputs[at] ?? 0);
  }
}

export function fitVerdicts(judged: readonly Judged[]): Verdicts {
  const byKey = [...Map.groupBy(judged, ({ key }) => key)];
  const of = <Each>(fit: (own: readonly Judged[]) => Each): Record<OpinionKey, Each> =>
    Object.fromEntries(byKey.map(([key, own]) => [key, fit(own)])) as Record<OpinionKey, Each>;
  return { lines: of((own) => fitVerdict(own)), trees: of((own) => fitTrees(own.map(toTreeExample), ANSWERS.length)) };
}

function toTreeExample({ features, truth }: Judged): TreeExample {
  return { features, truth: ANSWERS.findIndex((answer) => answer === truth) };
}

type DecidedByBoth = Judged & { opinion: Opinion; decision: Decision };

/** What the rules and these verdicts decide together. */
export function decideAll({ lines, trees }: Verdicts, judged: readonly Judged[]): DecidedByBoth[] {
  return judged.map((each) => {
    const line = softmax(lines[each.key], each.inputs);
    const opinion = opinionOf(together(line, sharesOf(climb(trees[each.key], each.features))));
    const { key, byRules: answer, isShown, plain, heard } = each;
    return { ...each, opinion, decision: decide({ key, answer, isShown, plain, heard }, opinion) };
  });
}

/** How often the likeliest answer is right, by check and by how sure it is, and what comes of the decision on it. */
export function measureVerdicts(verdicts: Verdicts, judged: readonly Judged[]): string[] {
  const read = decideAll(verdicts, judged).map(({ decision, ...each }) => ({ ...each, decided: decision }));
  type Read = (typeof read)[number];
  const rate = (some: readonly Read[], answerOf: (each: Read) => string): string => {
    const right = some.filter((each) => answerOf(each) === each.truth).length;
    return `${((100 * right) / Math.max(1, some.length)).toFixed(1)} % of ${String(some.length)}`.padEnd(20);
  };
  const row = (name: string, some: readonly Read[]): string => {
    const given = some.filter(({ decided }) => decided.answer !== 'needs_review');
    const rules = rate(some, ({ byRules }) => byRules);
    const opinions = rate(some, ({ opinion }) => opinion.answer);
    return `${name.padEnd(28)}rules ${rules}second opinion ${opinions}decided ${rate(given, ({ decided }) => decided.answer)}`;
  };
  const rows = [...Map.groupBy(read, ({ key }) => key), ...Map.groupBy(read, ({ language }) => language)];
  return [
    '',
    row('all', read),
    ...rows.map(([name, some]) => row(name, some)),
    ...[0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95].map((least) => {
      const sure = read.filter(({ opinion }) => opinion.confidence >= least);
      return `second opinion surer than ${String(least).padEnd(8)}${rate(sure, ({ opinion }) => opinion.answer)}`;
    }),
  ];
}
