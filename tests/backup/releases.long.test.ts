import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBackup } from '../../src/backup/opened-backup.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { keepOwnKey } from '../../src/setup/secrets.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  ended,
  headersOf,
  isAboutToday,
  readEverything,
  type Answer,
  type ReleaseData,
} from '../support/release-data.ts';
import { restoreFrom } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, 'tests/fixtures/upgrade');
const releases = (await readdir(folder)).flatMap((name) => /^(\d+\.\d+\.\d+)\.tar$/.exec(name)?.[1] ?? []);
const fileOf = (release: string) => path.join(folder, `${release}.tar`);

describe.each(releases)('the data of release %s', (release) => {
  it('is read back as its API told it, after an upgrade, and what waited is done', async () => {
    const data = JSON.parse(await readFile(path.join(folder, `${release}.json`), 'utf8')) as ReleaseData;
    await using database = await createTestDatabase({ isEmpty: true });
    const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-upgrade-'));
    const storage = createLocalStorage({ directory: path.join(dataDir, 'objects') });
    const keepKey = (key: string) => keepOwnKey({ DATA_DIR: dataDir }, key);
    await restoreFrom(fileOf(release), { databaseUrl: database.url, storage, keepKey });
    let log = '';
    const upgraded = await createTestApp({
      runPipeline: false,
      env: { DATABASE_URL: database.url, DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1' },
      log: new Writable({ write: (chunk, _encoding, done) => done(void (log += String(chunk))) }),
    });
    try {
      const answers = await readEverything(upgraded, data.readers);
      const told = new Map(answers.map((answer) => [`${answer.reader} ${answer.path}`, unranked(answer)]));
      for (const answer of data.answers.filter((each) => !isAboutToday(each))) {
        expect(told.get(`${answer.reader} ${answer.path}`)).toMatchObject(inAnyWords(unranked(answer)));
      }
      await upgraded.deps.start();
      const [reader] = data.readers;
      if (!reader) throw new Error('Nobody reads.');
      const member = { ...reader, projectId: '', userId: '', headers: headersOf(reader) };
      expect(await ended(upgraded, member, data.waitingRecordId)).toBe('completed');
      expect(log).not.toContain('sealed with a key that is not configured');
    } finally {
      await upgraded.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('holds rows of every table that the release had', async () => {
    const { header, entries } = await openBackup(fileOf(release));
    const rows = await rowsOf(entries);
    expect(header.tables.filter(({ name }) => !rows[name]).map(({ name }) => name)).toEqual([]);
  });
});

describe('a release', () => {
  it('is remembered by its data once it has a date: run `npm run release:dump`', async () => {
    const changes = await readFile(path.join(root, 'CHANGELOG.md'), 'utf8');
    const dated = [...changes.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gm)].map(([, release]) => release);
    expect(dated).toContain('0.1.0');
    expect(dated.filter((release) => !releases.includes(release ?? ''))).toEqual([]);
  });
});

/** Programs go by the code of an error; its message is for people, and may be worded better in a later release. */
function inAnyWords(answer: Answer): object {
  const error = z.object({ error: z.object({ code: z.string() }) }).safeParse(answer.body);
  if (!error.success) return answer;
  return { ...answer, body: { error: { code: error.data.error.code, message: expect.any(String) } } };
}

const Hits = z.object({ data: z.array(z.object({ recordId: z.string(), type: z.string() })), meta: z.unknown() });

/** What a search finds, without the order, the scores and the words around, which a later release may think better of. */
function unranked(answer: Answer): Answer {
  const found = Hits.safeParse(answer.body);
  if (!/\/search\b/.test(answer.path) || !found.success) return answer;
  const data = found.data.data.toSorted((a, b) => `${a.recordId} ${a.type}`.localeCompare(`${b.recordId} ${b.type}`));
  return { ...answer, body: { ...found.data, data } };
}

async function rowsOf(entries: AsyncIterable<{ name: string; bytes: Buffer }>): Promise<Record<string, number>> {
  let rows: Record<string, number> = {};
  for await (const { name, bytes } of entries) {
    if (name === 'manifest.json') rows = (JSON.parse(bytes.toString()) as { rows: Record<string, number> }).rows;
  }
  return rows;
}
