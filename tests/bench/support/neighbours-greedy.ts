import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, frequentWords, vttOf, type Answer, type Org } from './neighbours-client.ts';

/**
 * The worst that an organization may do, in a process of its own: all at once and again and again, until its input ends.
 * Says when it is prepared, and, once the last request is answered, how. About as many requests as ten clients may send.
 */
type Processed = Awaited<ReturnType<typeof client.process>>;
type Input = { baseUrl: string; org: Org };
const { baseUrl, org } = JSON.parse(process.argv[2] ?? '{}') as Input;
const client = createClient(baseUrl, org);
/** Below what a supplied transcript may have at most: 5 MB, 20,000 segments, 200,000 words. */
const largest = Array.from({ length: 3 }, (_, seed) => vttOf(seed, { cues: 19_900, wordsEach: 10 }));
const answers = new Map<string, Map<number, number>>();
const state = { isOver: false };

const { recordIds, analysisIds } = await prepare();
const richest = richestProfile();
const profileId: string = (await client.need('POST', '/api/v1/profiles', richest)).id;
for (let n = 1; n < 100; n += 1) await client.need('POST', '/api/v1/profiles', { ...richest, name: `Richest ${n}` });
process.stdout.write('prepared\n');

process.stdin.resume();
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.once('end', () => (state.isOver = true));

const record = (turn: number): string => recordIds[turn % recordIds.length] ?? '';
const search = (turn: number): Promise<Answer> => client.get(`/api/v1/search?limit=100&q=${queryOf(turn)}`);
const preview = (turn: number): Promise<Answer> =>
  client.ask('POST', `/api/v1/profiles/${profileId}/preview`, { recordId: record(turn) });
const change = (): Promise<Answer> =>
  client.ask('PATCH', `/api/v1/profiles/${profileId}`, { categories: richest.categories });
const again = (turn: number): Promise<Answer> =>
  client.ask('POST', `/api/v1/analyses/${analysisIds[turn % analysisIds.length]}/re-analyze`, { profileId });
const day = 86_400_000;
const widest = {
  from: new Date(Date.now() - 364 * day).toISOString().slice(0, 10),
  to: new Date().toISOString().slice(0, 10),
  // Days that begin at no whole hour of UTC are made of half hours.
  timeZone: 'Asia/Kolkata',
};
const batchSize = 16;
const batch = Array.from({ length: batchSize }, () => 'records.list').join();
const inputs = JSON.stringify(
  Object.fromEntries(Array.from({ length: batchSize }, (_, n) => [n, { json: { pageSize: 100 } }])),
);

await Promise.all([
  ...repeat('search', { count: 14, pauseMs: 1_000 }, search),
  ...repeat('preview', { count: 3, pauseMs: 500 }, preview),
  ...repeat('profile', { count: 1, pauseMs: 500 }, change),
  ...repeat('re-analyze', { count: 1, pauseMs: 500 }, again),
  ...repeat('upload, longest transcript', { count: 2, pauseMs: 500 }, (turn) =>
    client.upload({ transcript: largest[turn % largest.length] ?? null }),
  ),
  ...repeat('upload, 100 MB', { count: 1, pauseMs: 1_000 }, () =>
    client.upload({ transcript: vttOf(1, { cues: 10, wordsEach: 10 }), sizeBytes: 100_000_044 }),
  ),
  ...repeat('overview', { count: 2, pauseMs: 500 }, () =>
    client.get(`/api/trpc/overview.get?input=${encodeURIComponent(JSON.stringify({ json: widest }))}`),
  ),
  ...repeat('lists', { count: 1, pauseMs: 500 }, () => client.get('/api/v1/analyses?pageSize=100')),
  ...repeat('rich profiles', { count: 1, pauseMs: 500 }, () => client.get('/api/v1/profiles?pageSize=100')),
  ...repeat('batches of lists', { count: 1, pauseMs: 500 }, () =>
    client.get(`/api/trpc/${batch}?batch=1&input=${encodeURIComponent(inputs)}`),
  ),
  ...['', '?format=vtt', '?format=txt'].flatMap((format) =>
    repeat(`transcript${format}`, { count: 1, pauseMs: 500 }, (turn) =>
      client.get(`/api/v1/records/${record(turn)}/transcript${format}`),
    ),
  ),
]);
const summary = [...answers].map(([name, counts]) => [name, Object.fromEntries(counts)]);
process.stdout.write(`${JSON.stringify(Object.fromEntries(summary))}\n`);
await client.close();

/** Calls that are found by everything, three of them as long as they may be. */
async function prepare(): Promise<{ recordIds: string[]; analysisIds: (string | null)[] }> {
  const short = Array.from({ length: 200 }, (_, seed) => vttOf(seed, { cues: 40, wordsEach: 15 }));
  const shortOnes = inTurns(8, short);
  const longOnes = inTurns(1, largest);
  await shortOnes;
  const made = await longOnes;
  return {
    recordIds: made.map(({ recordId }) => recordId),
    analysisIds: made.map(({ analysisId }) => analysisId),
  };
}

async function inTurns(atOnce: number, transcripts: string[]): Promise<Processed[]> {
  const left = [...transcripts];
  const made: Processed[] = [];
  const take = async (): Promise<void> => {
    for (let transcript = left.pop(); transcript; transcript = left.pop()) {
      made.push(await client.process({ transcript }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return made;
}

/** Six categories of fifty checks with nine phrases each, none of which is ever said. */
function richestProfile() {
  const phrases = (check: number): string[] =>
    Array.from({ length: 9 }, (_, n) => `${frequentWords[(check + n) % frequentWords.length]} * and/or not this ${n}`);
  const categories = Array.from({ length: 6 }, (_, category) => ({
    key: `c${category}`,
    title: `Category ${category}`,
    weight: 1,
    checks: Array.from({ length: 50 }, (_c, check) => ({
      key: `c${category}.k${check}`,
      title: `Check ${check}`,
      weight: 1,
      kind: 'phrase',
      role: 'anyone',
      phrases: phrases(category * 50 + check),
    })),
  }));
  return { name: 'Richest', description: '', categories, compliance: [] };
}

/** Everything at once, in a row or each by itself; and one that has too many words. */
function queryOf(turn: number): string {
  const some = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => frequentWords[(turn + n) % frequentWords.length] ?? '');
  const kinds = [
    some(2).join(' '),
    `"${some(20).join(' ')}"`,
    some(24).join(' '),
    some(24).join(' or '),
    `"${Array.from({ length: 98 }, (_, n) => 'ai'[n % 2]).join(' ')}"`,
  ];
  return encodeURIComponent((kinds[turn % kinds.length] ?? '').slice(0, 200));
}

type Pace = { count: number; pauseMs: number };

function repeat(name: string, { count, pauseMs }: Pace, send: (turn: number) => Promise<Answer>): Promise<void>[] {
  const counts = new Map<number, number>();
  answers.set(name, counts);
  return Array.from({ length: count }, async (_, first) => {
    for (let turn = first; !state.isOver; turn += count) {
      const { status } = await send(turn);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await sleep(pauseMs);
    }
  });
}
