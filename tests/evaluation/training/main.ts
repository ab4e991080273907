import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { share } from '../figures.ts';
import type { LabelledCall } from '../labelled.ts';
import { heard, judgedBy, judgedPlainly, learnFrom, type Readers } from './fold.ts';
import { readLearning } from './learning.ts';
import { accusationsOf } from './accusations.ts';
import { packReaders, packSuspicions, writeFigures, writeNeighbours, writeTrees, writeVerdicts } from './pack.ts';
import { ACTS, probabilities, toExamples, type Role } from './turns.ts';
import { fitVerdicts, measureVerdicts } from './verdicts.ts';

/**
 * Fits the second opinion to the labelled calls: `npm run train` writes its weights, the same bytes every time.
 * `npm run train -- --hold` learns from two thirds, prints how well it reads the third that it has not seen, and writes nothing.
 */
const { values } = parseArgs({ options: { hold: { type: 'boolean', default: false } } });
const target = fileURLToPath(new URL('../../../src/scoring/opinion/', import.meta.url));

if (values.hold) {
  const seen = readLearning((part) => part !== 'hold');
  const unseen = readLearning((part) => part === 'hold');
  const { readers, judged } = await learnFrom(seen);
  const calls = unseen.calls.flatMap(([call]) => call ?? []);
  printActs(readers, calls);
  const verdicts = fitVerdicts([...judged, ...judgedPlainly(readers)]);
  for (const line of measureVerdicts(verdicts, judgedBy(readers, calls.map(heard)))) write(line);
} else {
  const learning = readLearning();
  const { readers, judged } = await learnFrom(learning);
  const verdicts = fitVerdicts([...judged, ...judgedPlainly(readers)]);
  writeFileSync(`${target}act-weights.ts`, packReaders(readers));
  writeFileSync(`${target}neighbour-weights.ts`, writeNeighbours(readers));
  writeFileSync(`${target}suspicion-weights.ts`, packSuspicions(accusationsOf(learning, readers.common)));
  writeFileSync(`${target}verdict-weights.ts`, writeVerdicts(verdicts));
  writeFileSync(`${target}tree-weights.ts`, writeTrees(verdicts));
  writeFileSync(`${target}detector-figures.ts`, writeFigures(judged));
}

/** Precision and recall of each act at one half, in all languages and in each. */
function printActs({ agent, customer, common }: Readers, calls: readonly LabelledCall[]): void {
  const unseen = calls.flatMap((call) => toExamples(call, common));
  const languages = [...new Set(unseen.map(({ language }) => language))];
  write(['act'.padEnd(30), ...['all', ...languages].map((name) => name.padEnd(24))].join(''));
  for (const role of ['agent', 'customer'] satisfies Role[]) {
    const own = unseen
      .filter((each) => each.role === role)
      .map((each) => {
        return { ...each, told: probabilities(role === 'agent' ? agent : customer, each.features) };
      });
    for (const [act, name] of ACTS[role].entries()) {
      const cells = [null, ...languages].map((language) => {
        const some = own.filter((each) => language === null || each.language === language);
        const told = some.filter((each) => (each.told[act] ?? 0) > 0.5);
        const meant = some.filter(({ labels }) => labels[act] === 1);
        const right = told.filter(({ labels }) => labels[act] === 1).length;
        return `${show(share(right, told.length))} / ${show(share(right, meant.length))} of ${String(meant.length)}`;
      });
      write([`${role} ${name}`.padEnd(30), ...cells.map((cell) => cell.padEnd(24))].join(''));
    }
  }
}

function show(part: number | null): string {
  return part === null ? ' -  ' : part.toFixed(2);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
