import { describe, expect, it } from 'vitest';
import { createOldDatabase, readOldJournals } from '../support/old-database.ts';
import { openOldService } from '../support/old-service.ts';
import { seededRandom } from '../support/random.ts';

const journals = await readOldJournals();
const hopsMax = 4;
const whole = { missing: [], extra: [] };

/** Ways that a database may have gone through the commits, each a sequence of upgrades by the code of its time. */
function chains(count: number): { from: string; path: typeof journals }[] {
  const random = seededRandom(16);
  return Array.from({ length: count }, () => {
    const picked = new Set(
      Array.from({ length: 1 + Math.ceil(random() * hopsMax) }, () => Math.floor(random() * journals.length)),
    );
    const path = [...picked].sort((a, b) => a - b).flatMap((index) => journals[index] ?? []);
    return { from: path.map(({ commit }) => commit).join(' → '), path };
  });
}

describe('a database with calls in it comes up whole', () => {
  it.each(journals)('from the migrations of $commit', async (journal) => {
    await using database = await createOldDatabase(journal);
    expect(await openOldService(database.url)).toEqual(whole);
  });

  it.each(chains(24))('by way of $from', async ({ path: [first, ...others] }) => {
    if (!first) throw new Error('There is no way.');
    await using database = await createOldDatabase(first);
    // What the code of a commit could not do, it left undone as a whole: it did not start there.
    for (const journal of others) await database.migrateAsOf(journal).catch(() => {});
    expect(await openOldService(database.url)).toEqual(whole);
  });

  it('from every journal, where policies bind the owner of its tables', async () => {
    const everySixth = journals.filter((_, index) => index % 6 === 2);
    expect(everySixth).toHaveLength(6);
    for (const journal of everySixth) {
      await using database = await createOldDatabase(journal, { isOwnerBound: true });
      expect(await openOldService(database.url)).toEqual(whole);
    }
  });
});
