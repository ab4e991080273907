import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measure, precisionOf, readMarked, recallOf, sumScores, type Outcome } from './measuring.ts';

/** Recall and precision of a set of marked utterances: `node tests/redaction/measure.ts [--no-names] [--rules] [--list] FILE…`. */
const { values, positionals } = parseArgs({
  options: {
    'no-names': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const utterances = positionals.flatMap((file) => readMarked(readFileSync(file, 'utf8')));
if (utterances.length === 0) throw new Error('Name a file with one utterance or dialogue a line.');

/** Kinds that were looked for before bank accounts, addresses and names were. */
const FIRST_KINDS = new Set(
  'card card_expiry card_code password pin code email phone national_id birth_date'.split(' '),
);

const { outcomes, misses, extras } = measure(utterances, {
  names: !values['no-names'],
  ...(values.rules ? { tagger: null } : {}),
});
const languages = [...new Set(utterances.map(({ language }) => language))];
const kinds = [...new Set(outcomes.map(({ kind }) => kind))];

write(`${utterances.length} calls; recall / precision (marks found / marks, extras)\n`);
print(['kind', 'all', ...languages]);
for (const kind of kinds) printRow(kind, (outcome) => outcome.kind === kind);
printRow('first kinds', ({ kind }) => FIRST_KINDS.has(kind));
printRow('all', () => true);
if (values.list) {
  for (const { id, kind, redacted } of misses) write(`missed ${kind}\t${id}\t${redacted}`);
  for (const { id, kind, redacted } of extras) write(`extra ${kind}\t${id}\t${redacted}`);
}

function printRow(name: string, isMeant: (outcome: Outcome) => boolean): void {
  const meant = outcomes.filter(isMeant);
  print([name, cell(meant), ...languages.map((language) => cell(meant.filter((each) => each.language === language)))]);
}

function cell(meant: readonly Outcome[]): string {
  const score = sumScores(meant);
  const { found, marks, extras: extra } = score;
  return `${show(recallOf(score))} / ${show(precisionOf(score))} (${found}/${marks}, ${extra})`;
}

function show(share: number | null): string {
  return share === null ? '   - ' : share.toFixed(3);
}

function print(cells: readonly string[]): void {
  write(cells.map((each, index) => each.padEnd(index === 0 ? 12 : 32)).join(''));
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
