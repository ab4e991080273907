import type { TrustWeights } from '../../../src/scoring/roles/trust.ts';
import { callsToLearn, type ToldCall } from './corpora.ts';
import { fitTrust, judge, type Judged } from './fit-trust.ts';
import { createTally, type Tally } from './tally.ts';
import { type Catalogues, createCatalogue, type Example, fit, type Fitted, tell, toExample } from './train.ts';
import { cut, unpunctuated } from './ways-to-write.ts';

const options = { prior: { utterance: 4, pair: 16 }, callsMin: 2, dropped: 0.5 };
const cuts = 2;

export type Study = {
  calls: ToldCall[];
  catalogues: Catalogues;
  /** Weights fitted to these calls. */
  fitTo: (some: readonly ToldCall[]) => Fitted;
  /** Tells the calls asked for by weights fitted to those that have another key. */
  holdOut: (asked: readonly ToldCall[], keyOf: (call: ToldCall) => string | number) => Tally;
  /** Tells calls that are none of the study's by weights fitted to all that are. */
  ask: (others: readonly ToldCall[]) => Tally;
  /**
   * Tells the calls of each writer by weights and by trust that had no part in them. `trust`: how far roles can be trusted, by
   * what became of all of them.
   */
  holdOutWriters: () => { tally: Tally; trust: TrustWeights };
};

export function createStudy(): Study {
  const catalogues = createCatalogue();
  const calls = callsToLearn();
  const learnt = new Map(calls.map((call) => [call, waysToLearn(call, catalogues)]));
  const fitTo: Study['fitTo'] = (some) =>
    fit(
      some.flatMap((call) => learnt.get(call) ?? []),
      catalogues,
      options,
    );
  const holdOut: Study['holdOut'] = (asked, keyOf) => {
    const tally = createTally();
    for (const key of new Set(asked.map(keyOf))) {
      const weights = fitTo(calls.filter((call) => keyOf(call) !== key));
      for (const example of asked.filter((call) => keyOf(call) === key).flatMap((call) => waysToAsk(call, catalogues)))
        tally.add(example, tell(example, weights));
    }
    return tally;
  };
  const ask: Study['ask'] = (others) => {
    const tally = createTally();
    const weights = fitTo(calls);
    for (const call of others) {
      const example = toExample(call, catalogues);
      tally.add(example, tell(example, weights));
    }
    return tally;
  };
  const holdOutWriters = (): ReturnType<Study['holdOutWriters']> => tellWriters(calls, { catalogues, fitTo });
  return { calls, catalogues, fitTo, holdOut, ask, holdOutWriters };
}

type Told = { writer: string; examples: Example[]; weights: Fitted; judged: Judged[] };

function tellWriters(
  calls: readonly ToldCall[],
  { catalogues, fitTo }: Pick<Study, 'catalogues' | 'fitTo'>,
): ReturnType<Study['holdOutWriters']> {
  const all = [...new Set(calls.map(({ source }) => source))].map((writer): Told => {
    const weights = fitTo(calls.filter(({ source }) => source !== writer));
    const examples = calls.filter(({ source }) => source === writer).flatMap((call) => waysToJudge(call, catalogues));
    return { writer, examples, weights, judged: examples.flatMap((example) => judge(example, weights)) };
  });
  const tally = createTally();
  for (const { writer, examples, weights } of all) {
    const trust = fitTrust(all.filter((other) => other.writer !== writer).flatMap(({ judged }) => judged));
    for (const example of examples) tally.add(example, tell(example, weights, trust));
  }
  return { tally, trust: fitTrust(all.flatMap(({ judged }) => judged)) };
}

/** People of the opened sets go on after pauses by themselves; others do where their sentences are cut. */
function isNatural({ source }: ToldCall): boolean {
  return source.startsWith('mono-');
}

/** Each call in several ways to write it: as it is, without marks, and cut anew several times. */
function waysToLearn(call: ToldCall, catalogues: Catalogues): Example[] {
  const shares = isNatural(call)
    ? { whole: call.isMarked ? 0.6 : 1, plain: 0.4, cut: 0.2 }
    : { whole: 0.3, plain: 0.3, cut: 0.4 };
  const pieces = Array.from({ length: cuts }, (_, at) => {
    const plain = cut(call, `learn plain ${at}`);
    return [cut(call, `learn ${at}`), call.isMarked ? unpunctuated(plain) : plain];
  }).flat();
  return [
    toExample(call, catalogues, shares.whole),
    ...(call.isMarked ? [toExample({ ...call, lines: unpunctuated(call.lines) }, catalogues, shares.plain)] : []),
    ...pieces.map((lines) => toExample({ ...call, lines }, catalogues, shares.cut)),
  ];
}

function waysToJudge(call: ToldCall, catalogues: Catalogues): Example[] {
  const pieces = { ...call, group: `${call.group}, cut`, lines: cut(call, 'ask') };
  return [call, ...(call.source === 'learning' ? [pieces] : [])].map((each) => toExample(each, catalogues));
}

function waysToAsk(call: ToldCall, catalogues: Catalogues): Example[] {
  const plain = { ...call, group: `${call.group}, plain`, lines: unpunctuated(call.lines) };
  const pieces = { ...call, group: `${call.group}, cut`, lines: cut(call, 'ask') };
  return [call, ...(call.isMarked ? [plain] : []), pieces].map((each) => toExample(each, catalogues));
}

const folds = 5;

/** Calls of one trade are told by weights that have seen none of it. */
export function foldByTrade(calls: readonly ToldCall[]): (call: ToldCall) => number {
  const trades = [...new Set(calls.map(({ trade }) => trade))];
  return ({ trade }) => trades.indexOf(trade) % folds;
}
