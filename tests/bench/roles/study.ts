import { callsToLearn, type ToldCall } from './corpora.ts';
import { createTally, type Tally } from './tally.ts';
import { type Catalogues, createCatalogue, type Example, fit, type Fitted, tell, toExample } from './train.ts';
import { cut, unpunctuated } from './ways-to-write.ts';

const options = { prior: { utterance: 2, pair: 8 }, callsMin: 2 };
const cuts = 4;

export type Study = {
  calls: ToldCall[];
  catalogues: Catalogues;
  /** Weights fitted to these calls. */
  fitTo: (some: readonly ToldCall[]) => Fitted;
  /** Tells the calls asked for by weights fitted to those that have another key. */
  holdOut: (asked: readonly ToldCall[], keyOf: (call: ToldCall) => string | number) => Tally;
  /** Tells calls that are none of the study's by weights fitted to all that are. */
  ask: (others: readonly ToldCall[]) => Tally;
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
  return { calls, catalogues, fitTo, holdOut, ask };
}

/** Each call in several ways to write it: as it is, without marks, and cut anew several times. */
function waysToLearn(call: ToldCall, catalogues: Catalogues): Example[] {
  const whole = [call.lines, ...(call.isMarked ? [unpunctuated(call.lines)] : [])];
  const pieces = Array.from({ length: cuts }, (_, at) => {
    const plain = cut(call, `learn plain ${at}`);
    return [cut(call, `learn ${at}`), call.isMarked ? unpunctuated(plain) : plain];
  }).flat();
  return [
    ...whole.map((lines) => toExample({ ...call, lines }, catalogues, 0.3)),
    ...pieces.map((lines) => toExample({ ...call, lines }, catalogues, 0.2)),
  ];
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
