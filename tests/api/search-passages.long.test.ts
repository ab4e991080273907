import { readFile } from 'node:fs/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcripts } from '../../src/db/schema/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { runCron, stopClock } from '../pipeline/support/run-cron.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

/** Long calls: what is found in them, and what snippets of them are cut from. */
let t: TestApp;
let owner: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'silent' } });
  await stopClock(t);
  owner = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

async function snippetsOf(q: string, further: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await t.as(owner, { url: '/api/v1/search', query: { q, limit: '100', ...further } });
  expect(status).toBe(200);
  return body.data.map(({ snippet }: { snippet: string }) => snippet);
}

async function addCall(texts: string[]): Promise<string> {
  const [recordId = ''] = await seedRecords(t, owner, [{ createdAt: new Date() }]);
  const segments = texts.map((text, index) => ({
    id: newId('segment'),
    index,
    speaker: 'spk_0',
    role: 'agent' as const,
    channel: 0,
    startMs: index * 1000,
    endMs: index * 1000 + 900,
    text,
    confidence: null,
    words: [],
  }));
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx.insert(transcripts).values({
      orgId: owner.orgId,
      recordId,
      version: 1,
      source: 'supplied',
      channels: 1,
      speakers: [{ id: 'spk_0', role: 'agent', name: null }],
      segments,
    }),
  );
  return recordId;
}

/** So many segments of ten words each, none of which is said twice; `said` are segments of their own in between. */
function longCall(name: string, segments: number, said: Record<number, string> = {}): string[] {
  return Array.from(
    { length: segments },
    (_, index) => said[index] ?? Array.from({ length: 10 }, (_w, n) => `${name}${index * 10 + n}`).join(' '),
  );
}

describe('a snippet of a long call', () => {
  it('holds what was looked for, wherever it was said', async () => {
    const places = { 0: 'opening marigold', 700: 'halfway begonia', 2_999: 'closing hyacinth' };
    await addCall(longCall('w', 3_000, places));
    expect(await snippetsOf('marigold')).toEqual([expect.stringMatching(/^opening <mark>marigold<\/mark> w10 /)]);
    expect(await snippetsOf('begonia')).toEqual([expect.stringMatching(/ halfway <mark>begonia<\/mark> w7010 /)]);
    expect(await snippetsOf('hyacinth')).toEqual([expect.stringMatching(/ closing <mark>hyacinth<\/mark>$/)]);
  });

  it('shows words that were said far apart from both places, in the order of the call', async () => {
    await addCall(longCall('f', 1_500, { 200: 'they spoke of larkspur', 1_300: 'and of foxglove later' }));
    const [snippet = ''] = await snippetsOf('foxglove larkspur');
    expect(snippet).toMatch(/<mark>larkspur<\/mark>.* … .*<mark>foxglove<\/mark>/);
  });

  it('prefers the place where all words stand together, and marks a phrase across two segments', async () => {
    const said = { 100: 'a peony alone', 500: 'peony and the', 501: 'snapdragon together', 900: 'a snapdragon alone' };
    await addCall(longCall('t', 1_000, said));
    for (const q of ['snapdragon peony', '"peony and the snapdragon"']) {
      const [snippet = ''] = await snippetsOf(q);
      expect(snippet).toContain('<mark>peony</mark> and the <mark>snapdragon</mark> together');
    }
  });

  it('finds a phrase whole wherever the pieces of the text are cut', async () => {
    const words = Array.from({ length: 400 }, (_, n) => `cut${n}x`);
    const phrases = words
      .flatMap((_, n) => (n % 13 === 0 ? [words.slice(n, n + 8)] : []))
      .filter((p) => p.length === 8);
    await addCall([words.join(' '), longCall('rest', 500).join(' ')]);
    for (const phrase of phrases) {
      const [snippet = ''] = await snippetsOf(`"${phrase.join(' ')}"`);
      expect(snippet).toContain(phrase.map((word) => `<mark>${word}</mark>`).join(' '));
    }
  });

  it('is cut from the part that matches: the whole text is not even read', async () => {
    const id = await addCall(longCall('r', 2_000, { 1_000: 'the rare edelweiss' }));
    await superuser`update search_documents set body = ${'body '.repeat(4_000)} where record_id = ${id} and kind = 'transcript'`;
    expect(await snippetsOf('edelweiss')).toEqual([expect.stringMatching(/the rare <mark>edelweiss<\/mark> r10010/)]);
  });

  it('is gone with the call, and follows what is said in a new version of it', async () => {
    const id = await addCall(longCall('g', 1_000, { 500: 'the first gladiolus' }));
    await superuser`update transcripts set segments = replace(segments::text, 'first gladiolus', 'second chrysanthemum')::jsonb
      where record_id = ${id}`;
    expect(await snippetsOf('gladiolus')).toEqual([]);
    expect(await snippetsOf('chrysanthemum')).toEqual([expect.stringContaining('second <mark>chrysanthemum</mark>')]);
    await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` });
    expect(await superuser`select from search_passages where record_id = ${id}`).toHaveLength(0);
  });
});

describe('a call of an earlier version', () => {
  it('is found after the upgrade as before, and has its snippets cut from passages after the next sweeps', async () => {
    const texts = longCall('u', 1_500, { 3: 'early anemone', 1_400: 'late anemone and delphinium' });
    const ids: string[] = [];
    // One after the other: an organization may not do all of this work at once.
    for (let call = 0; call < 12; call += 1) ids.push(await addCall(texts));
    // As the migration leaves it: the documents are there, their passages are not.
    await superuser`delete from search_passages`;
    const migration = await readFile(new URL('../../drizzle/0039_search_passages.sql', import.meta.url), 'utf8');
    await superuser.unsafe(migration.split('--> statement-breakpoint').at(-1) ?? '');
    expect(await superuser`select from search_passages_due where record_id = any(${ids})`).toHaveLength(12);
    expect(await snippetsOf('delphinium')).toHaveLength(12);
    expect((await snippetsOf('anemone'))[0]).toContain('early <mark>anemone</mark>');

    await runCron(t, 'sweep');
    expect(await superuser`select from search_passages_due`).toHaveLength(0);
    for (const snippet of await snippetsOf('delphinium')) {
      expect(snippet).toContain('late anemone and <mark>delphinium</mark>');
    }
  });
});

describe('what is looked for', () => {
  const phrase = (words: number): string =>
    `"${Array.from({ length: words }, (_, n) => 'abcdefghij'[n % 10]).join(' ')}"`;

  it('has at most 32 words; more are 400, and said to be too broad', async () => {
    expect(await snippetsOf(phrase(32))).toEqual([]);
    const { status, body } = await t.as(owner, { url: '/api/v1/search', query: { q: phrase(98) } });
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid.',
        details: [{ path: 'q', message: 'Too broad: look for at most 32 words.' }],
      },
    });
  });
});
