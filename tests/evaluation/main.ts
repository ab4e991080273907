import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agreementOf, curveOf, median, share, wilson, type Judgement } from './figures.ts';
import {
  ACCUSING_KEYS,
  judgeLabelled,
  judgePair,
  judgeSnippet,
  type JudgedCall,
  type JudgedPair,
  type JudgedSnippet,
} from './judge.ts';
import { partOf, readLabelled, type LabelledCall, type Pair, type Snippet } from './labelled.ts';
import { analystOf, judgeByModel } from './by-model.ts';
import { writeStated } from './stated.ts';
import { judgeUnseen } from './unseen.ts';

/**
 * How well answers agree with a reader: `npm run evaluate -- [--part learn|tune|hold] [--list] FILE…` by the weights in the
 * repository, with `--model` by the language model that `ANALYSIS_MODEL` names; `npm run evaluate -- --unseen` on the kept-back third by weights that have not learned from it. With `--write` the
 * figures that the README, docs/scoring.md and the dashboard state are made of it.
 */
const { values, positionals } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    tell: { type: 'boolean', default: false },
    unseen: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    model: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (positionals.length === 0 && !values.unseen)
  throw new Error('Name files with one labelled call, snippet or pair a line.');
const read = positionals.map((file) => readLabelled(readFileSync(file, 'utf8')));
const isMeant = ({ id }: { id: string }): boolean => !values.part || values.part.includes(partOf(id));
const meant = read.flatMap(({ calls }) => calls).filter(isMeant);
const judgedCalls = [
  ...(values.unseen ? await judgeUnseen() : []),
  ...(values.model
    ? await judgeAllByModel(meant)
    : meant.map((call) => judgeLabelled(call, values.tell ? 'tells' : 'decides'))),
];
printCalls(judgedCalls);
if (values.write) {
  writeStated(judgedCalls.flatMap(({ judgements }) => judgements).filter(({ weight }) => weight > 0));
}
printSnippets(read.flatMap(({ snippets }) => snippets).filter(isMeant));
printPairs(read.flatMap(({ pairs }) => pairs).filter(isMeant));

/** One after another: a model of one's own answers one call at a time. */
async function judgeAllByModel(calls: readonly LabelledCall[]): Promise<JudgedCall[]> {
  const analyst = analystOf(process.env);
  const judged: JudgedCall[] = [];
  for (const call of calls) judged.push(await judgeByModel(call, analyst));
  return judged;
}

type Judged = Pick<JudgedCall, 'judgements' | 'scoreError'> & Partial<Pick<JudgedCall, 'scorecard'>>;

function printCalls(judged: readonly Judged[]): void {
  if (judged.length === 0) return;
  const all = judged.flatMap(({ judgements }) => judgements);
  const checks = all.filter(({ weight }) => weight > 0);
  write(`${String(judged.length)} calls, ${String(checks.length)} answers to checks that words decide\n`);
  printRow('all', checks);
  if (checks.some(({ isContested }) => isContested)) {
    printRow(
      'uncontested',
      checks.filter(({ isContested }) => !isContested),
    );
  }
  for (const by of ['key', 'language', 'style', 'trade'] as const) {
    write(`\nby ${by}`);
    const rows = by === 'key' ? all : checks;
    for (const [name, some] of Map.groupBy(rows, (each) => each[by])) printRow(name, some);
  }
  write('\nby answer given');
  for (const [name, some] of Map.groupBy(checks, ({ key, given }) => `${key} ${given}`)) printRow(name, some);
  write('\nconfidence   coverage   agreement');
  for (const { confidence, coverage, agreement } of curveOf(checks)) {
    write(`>= ${confidence.toFixed(2)}      ${percent(coverage)}     ${percent(agreement)}`);
  }
  printScores(judged);
  for (const key of ACCUSING_KEYS) printAccusations(key, all);
  if (values.list) for (const each of all.filter(isMistake)) write(describe(each));
}

function isMistake({ given, truth }: Judgement): boolean {
  return given !== truth;
}

function describe({ call, key, given, truth, confidence, why }: Judgement): string {
  return [call, key, `${given}, not ${truth}`, confidence.toFixed(2), why].join('\t');
}

function printScores(judged: readonly Judged[]): void {
  const errors = judged.flatMap(({ scoreError }) => (scoreError === null ? [] : [scoreError]));
  const far = errors.filter((error) => error > 10).length;
  const shares = judged.flatMap(({ scorecard }) => scorecard?.judgedShare ?? []);
  const sum = shares.reduce((all, each) => all + each, 0);
  const mean = share(sum, shares.length);
  if (mean !== null) write(`\njudged of a call: ${percent(mean)} of its weight in the mean, with what time decides`);
  write(
    `score: ${String(errors.length)} of ${String(judged.length)} calls have one; off by ${String(median(errors))} points in the median, by more than 10 in ${String(far)}`,
  );
}

/** Of those accused how many are guilty, and of the guilty how many are found. */
function printAccusations(key: string, all: readonly Judgement[]): void {
  const own = all.filter((each) => each.key === key);
  if (own.length === 0) return;
  const accused = own.filter(({ given }) => given === 'fail');
  const guilty = own.filter(({ truth }) => truth === 'fail');
  const right = accused.filter(({ truth }) => truth === 'fail').length;
  const found = guilty.filter(({ given }) => given !== 'pass').length;
  write(`${key}: ${precision(right, accused.length)}; found ${String(found)} of ${String(guilty.length)}`);
}

function printSnippets(snippets: readonly Snippet[]): void {
  if (snippets.length === 0) return;
  const judged = snippets.map(judgeSnippet);
  write(`\n${String(snippets.length)} snippets: answered of those that are innocent, and of those that are guilty`);
  const rows = [
    ['all', judged] as const,
    ...Map.groupBy(judged, ({ snippet }) => snippet.about),
    ...Map.groupBy(judged, ({ snippet }) => snippet.language),
    ...Map.groupBy(judged, ({ snippet }) => snippet.style),
  ];
  for (const [name, some] of rows) printSnippetRow(name, some);
  if (!values.list) return;
  for (const { snippet, answer, why, others } of judged) {
    const isWrong = snippet.truth === 'guilty' ? answer === 'pass' : answer !== 'pass' || others.length > 0;
    if (isWrong) write([snippet.id, snippet.about, snippet.truth, answer, others.join(' '), why].join('\t'));
  }
}

function printSnippetRow(name: string, some: readonly JudgedSnippet[]): void {
  const innocent = some.filter(({ snippet }) => snippet.truth === 'innocent');
  const guilty = some.filter(({ snippet }) => snippet.truth === 'guilty');
  const accused = innocent.filter(({ answer, others }) => answer === 'fail' || others.length > 0).length;
  const possible = innocent.filter(({ answer }) => answer === 'needs_review').length;
  const failed = guilty.filter(({ answer }) => answer === 'fail').length;
  const found = guilty.filter(({ answer }) => answer !== 'pass').length;
  const innocence = `accused ${String(accused)} and doubted ${String(possible)} of ${String(innocent.length)}`;
  const clear = precision(innocent.length - accused, innocent.length);
  write(
    `${name.padEnd(26)}${innocence}, left alone ${clear}; failed ${String(failed)}, found ${precision(found, guilty.length)}`,
  );
}

/** Counted twice: with definite answers on both sides, and where one side may be left to a listener. */
function printPairs(pairs: readonly Pair[]): void {
  if (pairs.length === 0) return;
  const judged = pairs.map(judgePair);
  const { length } = pairs;
  const right = judged.filter(({ isRight }) => isRight).length;
  const honest = judged.filter(({ isHonest }) => isHonest).length;
  write(`\npairs: ${precision(right, length)} change as they should and in nothing else, definite on both sides`);
  write(
    `pairs: ${precision(honest, length)} change, contradict the reader on neither side, and change in nothing else`,
  );
  write('\nby check                  definite   changed   of');
  for (const [name, some] of Map.groupBy(judged, ({ expected }) => expected.join(' '))) printPairRow(name, some);
  if (!values.list) return;
  for (const { pair, isRight, isHonest, changed, expected } of judged) {
    if (!isRight)
      write(
        [pair.id, isHonest ? 'open' : 'wrong', `changed ${changed.join(' ')}`, `should ${expected.join(' ')}`].join(
          '\t',
        ),
      );
  }
}

function printPairRow(name: string, some: readonly JudgedPair[]): void {
  const count = (isMeant: (each: JudgedPair) => boolean): string => String(some.filter(isMeant).length);
  const cells = [count(({ isRight }) => isRight).padStart(8), count(({ isHonest }) => isHonest).padStart(10)];
  write(`${name.padEnd(26)}${cells.join('')}${String(some.length).padStart(5)}`);
}

function precision(hits: number, of: number): string {
  const [low, high] = wilson(hits, of);
  const exact = share(hits, of);
  const shown = exact === null ? '-' : percent(exact);
  return `${String(hits)} of ${String(of)} (${shown}, 95 %: ${percent(low)}-${percent(high)})`;
}

function printRow(name: string, judgements: readonly Judgement[]): void {
  const { answers, judged, right, agreement, kappa, coverage } = agreementOf(judgements);
  const cells = [
    name.padEnd(42),
    `agree ${agreement === null ? '   -  ' : percent(agreement)} (${String(right)}/${String(judged)})`.padEnd(26),
    `kappa ${kappa === null ? '-' : kappa.toFixed(2)}`.padEnd(14),
    `judged ${String(judged)}/${String(answers)}${coverage === null ? '' : `, ${percent(coverage)} of weight`}`,
  ];
  write(cells.join(''));
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
