import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcripts } from '../../src/db/schema/index.ts';
import { indexAnew } from '../../src/domain/search/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());

type Segment = { index: number; role: string; startMs: number };
type Result = { recordId: string; type: string; snippet: string; score: number; segment: Segment | null };
type Answer = { data: Result[]; meta: { page: number; pageSize: number; total: number; query: string } };

async function search(member: TestMember, query: Record<string, string>): Promise<Answer> {
  const { status, body } = await t.as(member, { url: '/api/v1/search', query });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Which calls, newest first. */
async function calls(member: TestMember, q: string, further: Record<string, string> = {}): Promise<string[]> {
  const { data } = await search(member, { q, limit: '100', ...further });
  return data.map(({ recordId }) => recordId);
}

const snippetsOf = async (member: TestMember, q: string) =>
  (await search(member, { q })).data.map(({ snippet }) => snippet);

type Lines = [role: 'agent' | 'customer', text: string][];
type Row = Parameters<typeof seedRecords>[2][number];

async function addCall(member: TestMember, lines: Lines, row: Row = {}): Promise<string> {
  const [recordId = ''] = await seedRecords(t, member, [row]);
  const segments = lines.map(([role, text], index) => ({
    id: newId('segment'),
    index,
    speaker: role,
    role,
    channel: 0,
    startMs: index * 4_000,
    endMs: index * 4_000 + 3_000,
    text,
    confidence: null,
    words: [],
  }));
  const speakers = (['agent', 'customer'] as const).map((role) => ({ id: role, role, name: null }));
  const transcript = { recordId, version: 1, source: 'supplied' as const, channels: 1, speakers, segments };
  const { orgId } = member;
  await t.deps.services.db.withOrg(orgId, (tx) => tx.insert(transcripts).values({ orgId, ...transcript }));
  return recordId;
}

const say = (member: TestMember, text: string, row: Row = {}) => addCall(member, [['customer', text]], row);

async function addProject(member: TestMember, name: string, language: string | null): Promise<string> {
  const payload = { name, language };
  return (await t.as(member, { method: 'POST', url: '/api/v1/projects', payload })).body.data.id;
}

describe('the filters of a search', () => {
  it('are those of the list of records, alone and together', async () => {
    const org = await t.createOrg();
    const rows: Row[] = [
      { status: 'completed', agentName: 'Ann', qualityScore: 90, createdAt: new Date('2026-03-01') },
      { status: 'completed', agentName: 'Ben', qualityScore: 40, createdAt: new Date('2026-03-02') },
      { status: 'failed', agentName: 'Ann', createdAt: new Date('2026-03-03') },
    ];
    const ids: string[] = [];
    for (const row of rows) ids.push(await say(org, 'about a flamingo', row));
    const [first, second, third] = ids;
    const by = (query: Record<string, string>) => calls(org, 'flamingo', query);
    expect(await by({})).toEqual([third, second, first]);
    expect(await by({ status: 'completed' })).toEqual([second, first]);
    expect(await by({ minScore: '50' })).toEqual([first]);
    expect(await by({ agentName: 'Ann' })).toEqual([third, first]);
    expect(await by({ agentName: 'Ann', status: 'failed' })).toEqual([third]);
    expect(await by({ projectId: org.projectId, maxScore: '50' })).toEqual([second]);
    expect(await by({ projectId: newId('project'), maxScore: '50' })).toEqual([]);
    const { data } = (await t.as(org, { url: '/api/v1/records?from=2026-03-02' })).body;
    expect(await by({ from: '2026-03-02' })).toEqual(data.map(({ id }: { id: string }) => id));
    const agent = await t.addMember(org, 'agent');
    expect(await calls(agent, 'flamingo', { status: 'completed' })).toEqual([]);
  });

  it('find what is older than a thousand other matches', async () => {
    const org = await t.createOrg();
    const [oldest] = await seedRecords(t, org, [
      { agentName: 'Zoe Flamingo', status: 'failed', createdAt: new Date('2020-01-01') },
    ]);
    await seedRecords(
      t,
      org,
      Array.from({ length: 1_100 }, () => ({ agentName: 'A Flamingo', status: 'completed' as const })),
    );
    expect(await calls(org, 'flamingo', { status: 'failed' })).toEqual([oldest]);
    expect((await search(org, { q: 'flamingo', status: 'completed' })).meta.total).toBe(1_000);
  });

  it.each([
    ['few', 40],
    ['half', 2],
    ['nearly all', 1],
  ])('leave of many matches what passes, in the same order: %s', async (_how, every) => {
    const org = await t.createOrg();
    const rows = Array.from({ length: 600 }, (_, index): Row => ({
      agentName: index % 7 === 0 ? 'Heron Heron' : 'Heron',
      status: index % every === 0 ? 'failed' : 'completed',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
    }));
    const ids = await seedRecords(t, org, rows);
    const pages = ['1', '2', '3', '4', '5', '6'];
    const all = await Promise.all(pages.map((page) => search(org, { q: 'heron', limit: '100', page })));
    const passing = new Set(ids.filter((_, index) => index % every === 0));
    const left = all.flatMap(({ data }) => data).filter(({ recordId }) => passing.has(recordId));
    const { data, meta } = await search(org, { q: 'heron', limit: '100', status: 'failed', type: 'record' });
    expect(meta.total).toBe(passing.size);
    expect(data).toEqual(left.slice(0, 100));
  });

  it.each<Record<string, string>>([
    { status: 'nonsense' },
    { minScore: '80', maxScore: '20' },
    { crmEntityId: '1' },
    { from: '2026-02-01', to: '2026-01-01' },
    { agentNmae: 'Ann' },
    { sort: 'duration' },
    { page: '0' },
    { q: 'r*' },
    { q: 'ab* '.repeat(9) },
  ])('refuse %j', async (given) => {
    const org = await t.createOrg();
    const { status, body } = await t.as(org, { url: '/api/v1/search', query: { q: 'x', ...given } });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('pages', () => {
  it('hold every match once, and say how many there are even behind the last', async () => {
    const org = await t.createOrg();
    const rows = Array.from({ length: 45 }, (_, index) => ({
      agentName: index % 3 === 0 ? 'Pelican Pelican' : 'Pelican',
    }));
    await seedRecords(t, org, rows);
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((page) => search(org, { q: 'pelican', page, status: 'pending' })),
    );
    expect(pages.map(({ data }) => data.length)).toEqual([20, 20, 5, 0]);
    expect(pages.map(({ meta }) => meta)).toEqual(
      [1, 2, 3, 4].map((page) => ({ page, pageSize: 20, total: 45, query: 'pelican' })),
    );
    expect(new Set(pages.flatMap(({ data }) => data.map(({ recordId }) => recordId))).size).toBe(45);
    const scores = pages.flatMap(({ data }) => data.map(({ score }) => score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const second = await search(org, { q: 'pelican', page: '2', pageSize: '7' });
    expect([second.data.length, second.meta.pageSize]).toEqual([7, 7]);
  });

  it('are the only way on: a cursor and two sizes that differ are refused, not passed over', async () => {
    const org = await t.createOrg();
    await seedRecords(t, org, [{ agentName: 'Pelican' }, { agentName: 'Pelican' }]);
    const { body } = await t.as(org, { url: '/api/v1/records', query: { pageSize: '1' } });
    expect(body.meta.nextCursor).toMatch(/^[\w-]+$/);
    for (const [given, path] of [
      [{ cursor: body.meta.nextCursor }, 'cursor'],
      [{ limit: '1', pageSize: '2' }, 'pageSize'],
    ] as const) {
      const refused = await t.as(org, { url: '/api/v1/search', query: { q: 'pelican', ...given } });
      expect([refused.status, refused.body.error?.details]).toEqual([400, [expect.objectContaining({ path })]]);
    }
    expect((await search(org, { q: 'pelican', limit: '1', pageSize: '1' })).data).toHaveLength(1);
  });
});

describe('what people said', () => {
  it('comes before what was written about it, and says who said it and when', async () => {
    const org = await t.createOrg();
    const recordId = await addCall(org, [
      ['agent', 'How may I help?'],
      ['customer', 'I want a refund for the broken kettle.'],
      ['agent', 'Of course.'],
    ]);
    await seedAnalysis(t, org, {
      recordId,
      summary: 'Refund, refund, refund: the customer asked for a refund of a refund.',
      topics: ['refund'],
    });
    const { data } = await search(org, { q: 'refund' });
    expect(data.map(({ type, segment }) => ({ type, segment }))).toEqual([
      { type: 'transcript', segment: { index: 1, role: 'customer', startMs: 4_000 } },
      { type: 'analysis', segment: null },
    ]);
    expect(data[0]?.score).toBeGreaterThan(data[1]?.score ?? 1);
  });

  it('is placed where most of it was said, in calls of any length', async () => {
    const org = await t.createOrg();
    const filler = (index: number): Lines[number] => ['agent', `filler item${index} about nothing in particular`];
    const lines = Array.from({ length: 600 }, (_, index) => filler(index));
    lines[100] = ['customer', 'My kettle is here.'];
    lines[417] = ['customer', 'The kettle exploded and\nthe kitchen burned.'];
    lines[599] = ['agent', 'Goodbye, marmalade.'];
    await addCall(org, lines);
    const place = async (q: string) => (await search(org, { q })).data[0]?.segment;
    expect(await place('kettle exploded')).toEqual({ index: 417, role: 'customer', startMs: 417 * 4_000 });
    expect(await place('"kitchen burned"')).toEqual({ index: 417, role: 'customer', startMs: 417 * 4_000 });
    expect(await place('marmalade')).toEqual({ index: 599, role: 'agent', startMs: 599 * 4_000 });
    expect(await place('"filler item250"')).toEqual({ index: 250, role: 'agent', startMs: 250 * 4_000 });
    for (const index of [0, 1, 13, 14, 15, 60, 199, 333, 598]) {
      expect(await place(`item${index}`)).toMatchObject({ index });
    }
  });

  it('hides a number that is said over the end of a segment', async () => {
    const org = await t.createOrg();
    const lines: Lines = [
      ['customer', 'Call me, ostrich, at 07700'],
      ['customer', '900123 please'],
    ];
    await addCall(org, lines, { customerPhone: '+447700900123' });
    const [snippet = ''] = await snippetsOf(org, 'ostrich');
    expect(snippet).toContain('******0123');
    expect(snippet.replace(/\D/g, '')).not.toContain('7700900');
  });
});

describe('the beginning of a word', () => {
  it('finds every word that begins so, and no other', async () => {
    const org = await t.createOrg();
    const [refunds, refunded, cancellation, cancelled, other] = [
      await say(org, 'They sent refunds.'),
      await say(org, 'It was refunded, Crème brûlée too.'),
      await say(org, 'A cancellation of the order.'),
      await say(org, 'They cancelled it.'),
      await say(org, 'We refuse.'),
    ];
    expect(await calls(org, 'refund*')).toEqual([refunded, refunds]);
    expect((await calls(org, 'ref*')).toSorted()).toEqual([refunds, refunded, other].toSorted());
    expect(await calls(org, 'cancella*')).toEqual([cancellation]);
    expect((await calls(org, 'cancel*')).toSorted()).toEqual([cancelled, cancellation].toSorted());
    expect(await calls(org, 'CREM* brul*')).toEqual([refunded]);
    expect(await calls(org, 'ref* -refund*')).toEqual([other]);
    expect(await calls(org, '"sent refund*"')).toEqual([refunds]);
    expect(await calls(org, 'cancella* or refuse')).toHaveLength(2);
    expect(await calls(org, 'zz9p1')).toEqual([]);
    expect(await snippetsOf(org, 'cancella*')).toEqual(['A <mark>cancellation</mark> of the order.']);
  });

  it('finds calls by a part of an identifier', async () => {
    const org = await t.createOrg();
    const [id] = await seedRecords(t, org, [{ externalId: 'order-4711/B' }]);
    expect(await calls(org, 'order-47*')).toEqual([id]);
    expect(await calls(org, '471*')).toEqual([id]);
  });
});

describe('accents', () => {
  it.each([
    ['fr', 'On se voit au café demain.', ['cafe', 'café', 'CAFÉ', 'caf*', 'cafe\u0301', '"au cafe"']],
    ['en', 'We met at the café tomorrow.', ['cafe', 'café', 'cafes']],
    ['es', 'La facturación llegó mañana.', ['facturacion', 'facturación', 'llego', 'manana', 'facturas']],
    ['de', 'Die Häuser in der Straße.', ['hauser', 'Häuser', 'Haus', 'Strasse', 'straße']],
    ['pl', 'Zażółć gęślą jaźń w Łodzi.', ['zazolc', 'gesla', 'lodzi', 'Łodzi']],
    ['ru', 'Ещё один ёж и мой кот.', ['еж', 'ёж', 'кот']],
    ['cs', 'Prosi\u0301m, kde je na\u0301draz\u030ci\u0301?', ['prosim', 'nádraží', 'nadrazi']],
    [null, 'Ærlig talt, søndag.', ['sondag', 'søndag']],
  ])('of %s make no difference', async (language, text, queries) => {
    const org = await t.createOrg();
    const projectId = await addProject(org, 'Language', language);
    const id = await say(org, text, { projectId });
    for (const q of queries) {
      const { data } = await search(org, { q });
      expect({ q, found: data.map(({ recordId }) => recordId) }).toEqual({ q, found: [id] });
      expect(data[0]?.snippet).toContain('<mark>');
      expect(data[0]?.snippet.replaceAll(/<\/?mark>/g, '')).toBe(text.normalize('NFC'));
    }
  });

  it('do not let in what was left out', async () => {
    const org = await t.createOrg();
    const plain = await say(org, 'una queja');
    await say(org, 'una queja por la facturación');
    await say(org, 'una queja por el café');
    expect(await calls(org, 'queja -facturación -café')).toEqual([plain]);
    expect(await calls(org, 'queja -facturacion -cafe')).toEqual([plain]);
  });

  it('stay where they make another letter', async () => {
    const org = await t.createOrg();
    await say(org, 'мой');
    expect(await calls(org, 'мои')).toEqual([]);
  });
});

describe('scripts without spaces', () => {
  it.each([
    [
      'zh',
      '您好，我想申请退款，因为耳机坏了。',
      ['退款', '申请退款', '耳机', '坏', '退款 耳机', '"申请退款"', '退*'],
      ['款退', '机票'],
    ],
    ['ja', 'クレジットカードで返金をお願いします。', ['返金', 'カード', 'お願い', '返金をお願い'], ['金返', 'カート']],
    ['th', 'ฉันต้องการขอเงินคืนค่ะ', ['เงินคืน', 'ต้องการ'], ['คืนเงิน']],
    ['zh', '我的iPhone坏了 broken', ['iPhone', '我的iPhone坏', 'broken 坏了'], ['iPad']],
  ])('are found inside of sentences (%s)', async (language, text, found, missing) => {
    const org = await t.createOrg();
    const projectId = await addProject(org, 'Language', language);
    const id = await say(org, text, { projectId });
    for (const q of found) {
      const { data } = await search(org, { q });
      expect({ q, found: data.map(({ recordId }) => recordId) }).toEqual({ q, found: [id] });
      expect(data[0]).toMatchObject({ snippet: expect.stringContaining('<mark>'), segment: { index: 0 } });
    }
    for (const q of missing) expect({ q, found: await calls(org, q) }).toEqual({ q, found: [] });
  });
});

describe('calls from before', () => {
  it('are found as they were, and made anew in the background, the newest first', async () => {
    const org = await t.createOrg();
    const ids: string[] = [];
    for (const day of ['01', '02', '03']) {
      ids.push(await say(org, 'Un café por favor', { createdAt: new Date(`2026-01-${day}`) }));
    }
    const within = <T>(work: Parameters<typeof t.deps.services.db.withOrg<T>>[1]) =>
      t.deps.services.db.withOrg(org.orgId, work);
    await within((tx) =>
      tx.execute(sql`
        update search_documents set starts = null, roles = null,
               lexemes = search_prefixed(to_tsvector(language::regconfig, body)::text, search_token(org_id, language))::tsvector`),
    );
    await within((tx) => tx.execute(sql`insert into search_remakes values (current_org_id(), 'infinity', '')`));
    expect(await calls(org, 'café')).toEqual(ids.toReversed());
    expect(await calls(org, 'cafe')).toEqual([]);
    expect((await search(org, { q: 'café' })).data[0]?.segment).toBeNull();

    expect(await within((tx) => indexAnew(tx, 2))).toBe(2);
    expect(await calls(org, 'cafe')).toEqual([ids[2], ids[1]]);
    expect(await within((tx) => indexAnew(tx, 2))).toBe(1);
    expect(await calls(org, 'cafe')).toEqual(ids.toReversed());
    expect((await search(org, { q: 'cafe' })).data[0]?.segment).toMatchObject({ index: 0 });
    expect(await within((tx) => indexAnew(tx, 2))).toBe(0);
    expect(await within((tx) => tx.execute(sql`select from search_remakes`))).toHaveLength(0);
  });
});
