/**
 * How well speakers of one track are told apart by weights that had no part in the call: by cross-validation over trades,
 * over languages and over those who wrote the calls. The real calls are told by weights fitted to all others.
 * `node tests/bench/roles/main.ts [--write]`; with `--write` the weights are fitted to all calls and written to `src`.
 */
import { writeFile } from 'node:fs/promises';
import { sharedCalls } from './corpora.ts';
import { createStudy, foldByTrade } from './study.ts';
import { printCurve } from './tally.ts';
import { pack } from './train.ts';

const { calls, catalogues, fitTo, holdOut, holdOutWriters, ask } = createStudy();
const note =
  '/** Fitted by `tests/bench/roles/main.ts --write`; see docs/decisions/0078-who-speaks-on-one-track.md. */';

if (process.argv.includes('--write')) {
  const bytes = pack(fitTo(calls), catalogues).toString('base64');
  await write('weights', `export const fittedWeights =\n  '${bytes}';`);
  const { tally, trust } = holdOutWriters();
  await write('trust', `export const fittedTrust = [${trust.map((each) => each.toFixed(3)).join(', ')}];`);
  printCurve('held out by writer, with their trust', tally);
} else {
  const learning = calls.filter(({ source }) => source === 'learning');
  const opened = calls.filter(({ source }) => source.startsWith('mono-'));
  printCurve('the real calls, which nothing is learnt from', ask(sharedCalls()));
  printCurve('held out by trade', holdOut(calls, foldByTrade(calls)));
  printCurve('sealed sets that were opened, held out by trade', holdOut(opened, foldByTrade(calls)));
  printCurve(
    'held out by language',
    holdOut(learning, ({ language }) => language),
  );
  printCurve('held out by writer, with their trust', holdOutWriters().tally);
}

async function write(name: string, text: string): Promise<void> {
  const file = new URL(`../../../src/scoring/roles/fitted-${name}.ts`, import.meta.url);
  await writeFile(file, `${note}\n${text}\n`);
}
