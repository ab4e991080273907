import { beforeAll, describe, expect, it } from 'vitest';
import { SURE_MIN } from '../../src/scoring/roles/utterances.ts';
import { LANGUAGES, sharedCalls } from '../bench/roles/corpora.ts';
import { createStudy, foldByTrade } from '../bench/roles/study.ts';
import { sharesAt, type Tally } from '../bench/roles/tally.ts';

const WRITERS = ['learning', 'mono-1', 'mono-2', 'mono-3', 'demo', 'invented', 'offices', 'templates'];

/** Of all groups with such a name together. */
function sharesOf({ told }: Tally, isMeant: (group: string) => boolean): { right: number; wrong: number } {
  return sharesAt(
    [...told].filter(([group]) => isMeant(group)).flatMap(([, list]) => list),
    SURE_MIN,
  );
}

describe('people on one track, by weights that have not seen the call', () => {
  let byTrade: Tally;
  let byWriter: Tally;
  let real: Tally;

  beforeAll(() => {
    const { calls, holdOut, holdOutWriters, ask } = createStudy();
    const learning = calls.filter(({ source }) => source === 'learning');
    byTrade = holdOut(learning, foldByTrade(calls));
    byWriter = holdOutWriters().tally;
    real = ask(sharedCalls());
  }, 1_200_000);

  it.each(WRITERS)('are hardly ever taken for each other, whoever wrote the call: %s', (writer) => {
    const { right, wrong } = sharesOf(byWriter, (group) => group === `all of ${writer}`);
    expect(wrong).toBeLessThanOrEqual(0.03);
    expect(right).toBeGreaterThanOrEqual(writer.startsWith('mono-') ? 0.1 : 0.3);
  });

  it.each(LANGUAGES)('are told apart where their trade is new: %s', (language) => {
    const written = sharesOf(byTrade, (group) => group.startsWith(`learning ${language}`) && !group.endsWith(', cut'));
    expect(written.right).toBeGreaterThanOrEqual(0.65);
    expect(written.wrong).toBeLessThanOrEqual(0.015);
  });

  it.each(LANGUAGES)('are hardly ever taken for each other where sentences are cut anywhere: %s', (language) => {
    const pieces = sharesOf(byTrade, (group) => group.startsWith(`learning ${language}`) && group.endsWith(', cut'));
    expect(pieces.right).toBeGreaterThanOrEqual(0.3);
    expect(pieces.wrong).toBeLessThanOrEqual(0.015);
  });

  it.each(['real, as written', 'real, as recognised'])(
    'are told apart in calls that nothing was learnt from: %s',
    (name) => {
      const { right, wrong } = sharesOf(real, (group) => group === name);
      expect(right).toBeGreaterThanOrEqual(0.75);
      expect(wrong).toBeLessThanOrEqual(0.03);
    },
  );
});
