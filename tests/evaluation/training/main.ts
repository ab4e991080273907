import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { share } from '../figures.ts';
import { partOf, readLabelled } from '../labelled.ts';
import { crossJudged, heard, judgedBy, readersOf, type Readers } from './fold.ts';
import { packReaders, writeFigures, writeVerdicts } from './pack.ts';
import { plainCalls } from './plain.ts';
import { ACTS, probabilities, toExamples, type Role } from './turns.ts';
import { fitVerdicts, measureVerdicts } from './verdicts.ts';

/**
 * Fits the second opinion to the labelled calls: `npm run train` writes its weights, the same bytes every time.
 * `npm run train -- --hold` learns from two thirds, prints how well it reads the third that it has not seen, and writes nothing.
 */
const { values } = parseArgs({ options: { hold: { type: 'boolean', default: false } } });
const folder = fileURLToPath(new URL('../../learning/', import.meta.url));
const target = fileURLToPath(new URL('../../../src/scoring/opinion/', import.meta.url));
const calls = readdirSync(folder)
  .filter((name) => /^calls-.*\.jsonl$/u.test(name))
  .sort()
  .flatMap((name) => readLabelled(readFileSync(folder + name, 'utf8')).calls);

if (values.hold) {
  const seen = calls.filter(({ id }) => partOf(id) !== 'hold');
  const unseen = calls.filter(({ id }) => partOf(id) === 'hold');
  const readers = readersOf(seen);
  printActs(readers);
  const verdicts = fitVerdicts([...crossJudged(seen), ...judgedBy(readers, plainCalls())]);
  for (const line of measureVerdicts(verdicts, judgedBy(readers, unseen.map(heard)))) write(line);
} else {
  const judged = crossJudged(calls);
  const readers = readersOf(calls);
  const verdicts = fitVerdicts([...judged, ...judgedBy(readers, plainCalls())]);
  writeFileSync(`${target}act-weights.ts`, packReaders(readers));
  writeFileSync(`${target}verdict-weights.ts`, writeVerdicts(verdicts));
  writeFileSync(`${target}detector-figures.ts`, writeFigures(judged));
}

/** Precision and recall of each act at one half, in all languages and in each. */
function printActs({ agent, customer, common }: Readers): void {
  const unseen = calls.filter(({ id }) => partOf(id) === 'hold').flatMap((call) => toExamples(call, common));
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
