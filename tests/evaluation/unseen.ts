import type { CheckAnswer, CheckResult } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { computeScores, scoreOfAnswer } from '../../src/scoring/arithmetic.ts';
import type { Judgement } from './figures.ts';
import { weightOf } from './judge.ts';
import type { LabelledCall } from './labelled.ts';
import { heard, judgedBy, judgedPlainly, learnFrom } from './training/fold.ts';
import { readLearning } from './training/learning.ts';
import { decideAll, fitVerdicts } from './training/verdicts.ts';

export type UnseenCall = { call: Pick<LabelledCall, 'id'>; judgements: Judgement[]; scoreError: number | null };

/**
 * The third of the labelled calls that is kept back, judged with a second opinion that has learned from the other two: as
 * the service judges calls that it does not know. Accusations are not part of it, since nothing of them is learned.
 */
export async function judgeUnseen(): Promise<UnseenCall[]> {
  const seen = readLearning((part) => part !== 'hold');
  const unseen = readLearning((part) => part === 'hold').calls.flatMap(([call]) => call ?? []);
  const { readers, judged } = await learnFrom(seen);
  const verdicts = fitVerdicts([...judged, ...judgedPlainly(readers)]);
  const decided = Map.groupBy(decideAll(verdicts, judgedBy(readers, unseen.map(heard))), ({ call }) => call);
  return unseen.map((call) => {
    const judgements = (decided.get(call.id) ?? []).map(({ key, truth, decision }): Judgement => ({
      call: call.id,
      key,
      language: call.language,
      trade: call.trade,
      style: call.style,
      given: decision.answer,
      truth,
      confidence: decision.confidence,
      weight: weightOf(key),
      isContested: call.contested.includes(key),
      why: decision.basis,
    }));
    return { call, judgements, scoreError: scoreErrorOf(judgements) };
  });
}

/** Of what words decide; what is measured is the same on either side. Null where there is no score. */
function scoreErrorOf(judgements: readonly Judgement[]): number | null {
  const scoreBy = (side: 'given' | 'truth'): number | null => {
    const answers = new Map(judgements.map((each) => [each.key, each[side]]));
    return computeScores(defaultRubric, resultsOf(answers)).qualityScore;
  };
  const [given, truth] = [scoreBy('given'), scoreBy('truth')];
  return given === null || truth === null ? null : Math.abs(given - truth);
}

function resultsOf(answers: ReadonlyMap<string, CheckAnswer>): CheckResult[] {
  return defaultRubric.categories.flatMap(({ key: category, checks }) =>
    checks.map(({ key, title, weight, critical }): CheckResult => {
      const answer = answers.get(key) ?? 'not_applicable';
      const score = scoreOfAnswer(answer);
      return { key, category, title, weight, critical, answer, score, rationale: '', evidence: [] };
    }),
  );
}
