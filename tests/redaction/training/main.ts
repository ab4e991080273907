import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure, precisionOf, recallOf, sumScores, type Outcome } from '../measuring.ts';
import type { Tagger } from '../../../src/redaction/tagger/tagger.ts';
import { foldOf, readSources, type Sourced } from './corpora.ts';
import { learn, learnTagger } from './learn.ts';
import { writeTagger } from './pack.ts';

/**
 * Fits the tagger to the marked sets: `npm run train:redaction` writes its weights, the same bytes every time.
 * `npm run train:redaction -- --hold` learns from four fifths of the calls and prints how much is found in the rest;
 * `-- --without NAME` learns from all files but one, and prints how much is found in that. Neither writes anything.
 */
const { values } = parseArgs({
  options: {
    hold: { type: 'boolean', default: false },
    without: { type: 'string' },
    fold: { type: 'string', default: '0' },
  },
});
const FOLDS = 5;
const target = fileURLToPath(new URL('../../../src/redaction/tagger/weights.ts', import.meta.url));
const sources = readSources();
const without = values.without;

if (without !== undefined) {
  const isHeld = ({ source }: Sourced): boolean => source.startsWith(without);
  report(
    sources.filter((each) => !isHeld(each)),
    sources.filter(isHeld),
  );
} else if (values.hold) {
  const isHeld = ({ id }: Sourced): boolean => foldOf(id, FOLDS) === Number(values.fold);
  report(
    sources.filter((each) => !isHeld(each)),
    sources.filter(isHeld),
  );
} else writeFileSync(target, writeTagger(learn(sources)));

function report(seen: readonly Sourced[], unseen: readonly Sourced[]): void {
  const tagger = learnTagger(seen);
  for (const [source, own] of [...Map.groupBy(unseen, ({ source }) => source), ['all', unseen] as const]) {
    const [rules, both] = [null, tagger].map((each) => score(own, each));
    write(`${source.padEnd(20)}rules ${show(rules ?? [])}   with tagger ${show(both ?? [])}`);
  }
  const outcomes = score(unseen, tagger);
  const groups = [...Map.groupBy(outcomes, ({ kind }) => kind), ...Map.groupBy(outcomes, ({ language }) => language)];
  for (const [name, own] of groups) write(`${name.padEnd(20)}${show(own)}`);
}

function score(all: readonly Sourced[], tagger: Tagger | null): Outcome[] {
  return measure(all, { names: true, tagger }).outcomes;
}

function show(outcomes: readonly Outcome[]): string {
  const sum = sumScores(outcomes);
  const share = (value: number | null): string => (value === null ? '  -  ' : value.toFixed(3));
  return `${share(recallOf(sum))} / ${share(precisionOf(sum))} of ${String(sum.marks)}`;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
