/**
 * How well speakers of one track are told apart, by cross-validation, so that no call is told by weights that it had a part in.
 * `node tests/bench/roles/main.ts [--write]`; with `--write` the weights are fitted to all calls and written to `src`.
 */
import { writeFile } from 'node:fs/promises';
import { marginalsOf, type RoleWeights } from '../../../src/scoring/roles/chain.ts';
import { countWords } from '../../../src/model/text/tokens.ts';
import { allCalls } from './corpora.ts';
import { type Example, fit, toExample } from './train.ts';

const prior = 1;
const folds = 6;
/** What is smaller changes nothing. */
const weightMin = 0.02;

const examples = allCalls().map((call) => toExample(call));

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function crossValidate(): Map<Example, number[]> {
  const calls = [...new Set(examples.map(({ call }) => call))];
  const foldOf = new Map(calls.map((call, at) => [call, at % folds]));
  const told = new Map<Example, number[]>();
  for (let fold = 0; fold < folds; fold += 1) {
    const isHeldOut = ({ call }: Example): boolean => foldOf.get(call) === fold;
    const weights = fit(
      examples.filter((each) => !isHeldOut(each)),
      { prior },
    );
    for (const example of examples.filter(isHeldOut)) told.set(example, marginalsOf(example, weights).agent);
  }
  return told;
}

/** Words with the right role, with the wrong one and with none, in per cent. */
function tally(told: ReadonlyMap<Example, number[]>, sureMin: number): Map<string, { right: number; wrong: number }> {
  const counts = new Map<string, { right: number; wrong: number; all: number }>();
  for (const [{ group, lines }, likely] of told) {
    for (const name of [group, 'all']) {
      const count = counts.get(name) ?? { right: 0, wrong: 0, all: 0 };
      counts.set(name, count);
      for (const [at, { role, text }] of lines.entries()) {
        const agent = likely[at] ?? 0.5;
        const said = agent >= sureMin ? 'agent' : agent <= 1 - sureMin ? 'customer' : null;
        const words = countWords(text);
        count.all += words;
        if (said === role) count.right += words;
        else if (said !== null) count.wrong += words;
      }
    }
  }
  const share = (part: number, all: number): number => Math.round((1000 * part) / Math.max(1, all)) / 10;
  return new Map(
    [...counts].map(([name, { right, wrong, all }]) => [name, { right: share(right, all), wrong: share(wrong, all) }]),
  );
}

const told = crossValidate();
for (const sureMin of [0.8, 0.84, 0.88, 0.9, 0.92]) {
  print(`sure from ${String(sureMin)}: words with the right role, with the wrong one, in per cent`);
  for (const [name, { right, wrong }] of tally(told, sureMin))
    print(`  ${name.padEnd(22)} ${right.toFixed(1)} ${wrong.toFixed(1)}`);
}
if (process.argv.includes('--errors')) {
  for (const [{ group, call, lines }, likely] of told) {
    for (const [at, { role, text }] of lines.entries()) {
      const agent = likely[at] ?? 0.5;
      if ((role === 'agent' ? agent : 1 - agent) < 0.13) print(`${group} | ${call} | ${role} | ${text}`);
    }
  }
}
if (process.argv.includes('--write')) await write(fit(examples, { prior }));

async function write({ utterance, pair }: RoleWeights): Promise<void> {
  const told = Object.entries(utterance)
    .filter(([, weight]) => Math.abs(weight) >= weightMin)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, weight]) => `  ${JSON.stringify(name)}: ${weight.toFixed(2)},`);
  const ways = Object.entries(pair)
    .filter(([, each]) => each.some((weight) => Math.abs(weight) >= weightMin))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `  ${JSON.stringify(name)}: [${each.map((weight) => weight.toFixed(2)).join(', ')}],`);
  const folder = new URL('../../../src/scoring/roles/', import.meta.url);
  const note = 'Fitted by `tests/bench/roles/main.ts --write`; see docs/decisions/0078-who-speaks-on-one-track.md.';
  await writeFile(
    new URL('utterance-weights.ts', folder),
    `/** How much each feature of an utterance speaks for the agent. ${note} */\nexport const utteranceWeights: Readonly<Record<string, number>> = {\n${told.join('\n')}\n};\n`,
  );
  await writeFile(
    new URL('pair-weights.ts', folder),
    `/**\n * How much each feature of two utterances speaks for customer and customer, customer and agent, agent and customer, agent and agent.\n * ${note}\n */\nexport const pairWeights: Readonly<Record<string, readonly [number, number, number, number]>> = {\n${ways.join('\n')}\n};\n`,
  );
}
