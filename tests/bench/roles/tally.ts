import { SURE_MIN } from '../../../src/scoring/roles/utterances.ts';
import { countWords } from '../../../src/model/text/tokens.ts';
import type { ToldLine } from './corpora.ts';

/** Words of one utterance: how sure it is who says them, and whether that is right. */
type Told = { sure: number; isRight: boolean; words: number };

export type Tally = {
  told: ReadonlyMap<string, readonly Told[]>;
  /** `agent`: for each line, how likely the agent says it. */
  add: (said: { group: string; source: string; lines: readonly ToldLine[] }, agent: Float64Array) => void;
};

export function createTally(): Tally {
  const told = new Map<string, Told[]>();
  const add: Tally['add'] = ({ group, source, lines }, agent) => {
    const way = /, (?:plain|cut)$/u.exec(group)?.[0] ?? '';
    for (const name of new Set([group, `all of ${source}${way}`])) {
      const list = told.get(name) ?? [];
      told.set(name, list);
      for (const [at, { role, text }] of lines.entries()) {
        const likely = agent[at] ?? 0.5;
        const isRight = likely >= 0.5 === (role === 'agent');
        list.push({ sure: Math.max(likely, 1 - likely), isRight, words: countWords(text) });
      }
    }
  };
  return { told, add };
}

/** Shares of the words with the right role and with the wrong one, where one has to be as sure as this to tell. */
export function sharesAt(told: readonly Told[], sureMin: number): { right: number; wrong: number } {
  const all = told.reduce((sum, { words }) => sum + words, 0);
  const share = (isRight: boolean): number =>
    told.reduce((sum, each) => sum + (each.sure >= sureMin && each.isRight === isRight ? each.words : 0), 0) /
    Math.max(1, all);
  return { right: share(true), wrong: share(false) };
}

const SURE = [0.5, 0.7, 0.8, 0.85, 0.88, 0.9, 0.92, 0.93, SURE_MIN, 0.95, 0.96];

/** Words with the right role and with the wrong one, in per cent, by how sure one has to be to tell. */
export function printCurve(title: string, { told }: Tally): void {
  const lines = [`\n${title}`, `${'sure from'.padEnd(30)}${SURE.map((sure) => String(sure).padEnd(11)).join('')}`];
  const percent = (part: number): string => (100 * part).toFixed(1);
  for (const [name, list] of [...told].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const cells = SURE.map((sure) => {
      const { right, wrong } = sharesAt(list, sure);
      return `${percent(right)}/${percent(wrong)}`.padEnd(11);
    });
    lines.push(`${name.padEnd(30)}${cells.join('')}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
