import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { sql } from 'drizzle-orm';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyses, transcripts } from '../../src/db/schema/index.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

type Result = { recordId: string; type: string; snippet: string; score: number; createdAt: string };
type Answer = { data: Result[]; meta: { total: number; query: string } };

async function search(query: Record<string, string>, member = owner): Promise<Answer> {
  const { status, body } = await t.as(member, { url: '/api/v1/search', query });
  expect(status).toBe(200);
  return body;
}

/** Which records, by what kind of document. */
async function found(q: string, member = owner, further: Record<string, string> = {}): Promise<string[]> {
  const { data } = await search({ q, limit: '100', ...further }, member);
  return data.map(({ recordId, type }) => `${type} ${recordId}`).toSorted();
}

type Segments = typeof transcripts.$inferInsert.segments;

function segmentsOf(texts: string[]): Segments {
  return texts.map((text, index) => ({
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
}

async function addTranscript(recordId: string, texts: string[], { version = 1, member = owner } = {}): Promise<void> {
  await t.deps.services.db.withOrg(member.orgId, (tx) =>
    tx.insert(transcripts).values({
      orgId: member.orgId,
      recordId,
      version,
      source: 'supplied',
      channels: 1,
      speakers: [{ id: 'spk_0', role: 'agent', name: null }],
      segments: segmentsOf(texts),
    }),
  );
}

async function addCall(texts: string[], record: Parameters<typeof seedRecords>[2][number] = {}, member = owner) {
  const [recordId = ''] = await seedRecords(t, member, [record]);
  await addTranscript(recordId, texts, { member });
  return recordId;
}

async function addProject(name: string, language: string | null, member = owner): Promise<string> {
  const payload = { name, language };
  return (await t.as(member, { method: 'POST', url: '/api/v1/projects', payload })).body.data.id;
}

describe('a search', () => {
  let call: string;
  let analysisId: string;

  beforeAll(async () => {
    call = await addCall(['I would like to cancel my subscription.', 'The refunds arrive on Tuesday.'], {
      agentName: 'Maria Jennings',
      externalId: 'call-4711/B',
      fileName: 'hotline_0815.wav',
      metadata: { queue: 'escalations', ticket: { number: 998877, note: 'Gold tier' } },
      customerPhone: '+447700900123',
    });
    analysisId = await seedAnalysis(t, owner, {
      recordId: call,
      summary: 'The customer wanted a reimbursement.',
      improvements: ['Apologise before explaining.'],
      topics: ['billing dispute'],
      complianceFindings: [
        {
          key: 'k',
          title: 'Guaranteed outcome',
          severity: 'high',
          answer: 'fail',
          rationale: 'Promised a miracle.',
          evidence: [],
        },
      ],
    });
  });

  it.each([
    ['record', 'maria'],
    ['record', 'Jennings'],
    ['record', '4711'],
    ['record', 'call-4711/B'],
    ['record', 'hotline_0815.wav'],
    ['record', '0815'],
    ['record', 'escalation'],
    ['record', '998877'],
    ['record', '"gold tier"'],
    ['transcript', 'subscriptions'],
    ['transcript', 'refund tuesday'],
    ['transcript', '"cancel my subscription"'],
    ['transcript', 'nonsense or subscription'],
    ['transcript', 'subscription -miracle'],
    ['analysis', 'reimbursement'],
    ['analysis', 'apologise'],
    ['analysis', '"billing dispute"'],
    ['analysis', 'miracle'],
    ['analysis', 'guaranteed'],
  ])('finds the %s by %s', async (type, q) => {
    expect(await found(q)).toEqual([`${type} ${call}`]);
  });

  it.each(['elephant', '"subscription cancel"', 'subscription -refunds', 'subscription elephant', '477009', '0123'])(
    'finds nothing by %s',
    async (q) => {
      expect(await search({ q })).toEqual({ data: [], meta: { page: 1, pageSize: 20, total: 0, query: q } });
    },
  );

  it.each(['the', 'the and of', '-refund', '- -', '"', '!!!', '(((', '&|!', '<->', "'", '\\', '💥', 'the or -x', ':*'])(
    'answers %s, which names no word to look for, with nothing',
    async (q) => {
      expect(await search({ q })).toEqual({ data: [], meta: { page: 1, pageSize: 20, total: 0, query: q } });
    },
  );

  it('takes any text of what the syntax is made of', async () => {
    const parts = [
      '-',
      '- ',
      '"',
      ' ',
      '!',
      '(',
      ')',
      '|',
      '&',
      ':*',
      '<->',
      "'",
      '\\',
      'or',
      'word',
      '-é',
      '\u00a0',
      '💥',
    ] as const;
    const random = seededRandom(50);
    const texts = Array.from({ length: 300 }, () => {
      const few: [string, string, string] = [pick(random, parts), pick(random, parts), pick(random, parts)];
      return Array.from({ length: 120 }, () => pick(random, few))
        .join('')
        .slice(0, 200);
    });
    for (const q of ['-'.repeat(50), '- '.repeat(100), '-('.repeat(100), ...texts]) {
      const { status } = await t.as(owner, { url: '/api/v1/search', query: { q } });
      // 400 for what is nothing, or too much.
      expect({ q, isAnswered: status === 200 || status === 400 }).toEqual({ q, isAnswered: true });
    }
  });

  it('reads repeated minuses as a dash', async () => {
    const { body } = await t.as(owner, { url: '/api/v1/search', query: { q: '--subscription' } });
    expect(body.meta).toMatchObject({ query: '--subscription' });
    expect(body.meta.total).toBeGreaterThan(0);
  });

  it('answers with exactly the documented fields', async () => {
    expect(await search({ q: '  refund ' })).toEqual({
      data: [
        {
          recordId: call,
          type: 'transcript',
          snippet: 'I would like to cancel my subscription. The <mark>refunds</mark> arrive on Tuesday.',
          score: expect.any(Number),
          segment: { index: 1, role: 'agent', startMs: 1000 },
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      meta: { page: 1, pageSize: 20, total: 1, query: 'refund' },
    });
    const record = await t.as(owner, { url: `/api/v1/records/${call}` });
    expect((await search({ q: 'refund' })).data[0]?.createdAt).toBe(record.body.data.createdAt);
  });

  it('keeps to the type that is asked for', async () => {
    await addCall(['Maria speaking.']);
    expect((await search({ q: 'maria' })).meta.total).toBe(2);
    for (const type of ['record', 'transcript']) {
      const { data } = await search({ q: 'maria', type });
      expect(data.map((result) => result.type)).toEqual([type]);
    }
    expect((await search({ q: 'maria', type: 'analysis' })).data).toEqual([]);
  });

  it.each<Record<string, string>>([
    {},
    { q: '' },
    { q: '   ' },
    { q: 'x'.repeat(201) },
    { q: 'x', limit: '0' },
    { q: 'x', limit: '101' },
    { q: 'x', type: 'project' },
    { q: 'a\0b' },
  ])('refuses %j', async (query) => {
    const { status, body } = await t.as(owner, { url: '/api/v1/search', query });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('is the same over RPC', async () => {
    const baseUrl = await t.listen();
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: owner.headers })],
    });
    const page = await client.search.query.query({ q: 'refund', limit: 5 });
    expect(page.data[0]?.createdAt).toBeInstanceOf(Date);
    expect(JSON.parse(JSON.stringify(page))).toEqual(await search({ q: 'refund', limit: '5' }));
  });

  it('is in step with a review, a further analysis and a transcript that it makes current', async () => {
    await t.as(owner, {
      method: 'POST',
      url: `/api/v1/analyses/${analysisId}/review`,
      payload: { verdict: 'rejected', comment: 'Ironclad reasoning is missing.' },
    });
    expect(await found('ironclad')).toEqual([`analysis ${call}`]);
    await addTranscript(call, ['They spoke about zebras.'], { version: 2 });
    expect(await found('zebra')).toEqual([]);
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx
        .update(analyses)
        .set({ current: false })
        .where(sql`id = ${analysisId}`),
    );
    await seedAnalysis(t, owner, { recordId: call, version: 2, transcriptVersion: 2, summary: 'A safari.' });
    expect(await found('zebra')).toEqual([`transcript ${call}`]);
    expect(await found('safari')).toEqual([`analysis ${call}`]);
    expect(await found('subscription or reimbursement or ironclad')).toEqual([]);
  });

  it('is in step with a change of the record, and finds nothing of one that was deleted', async () => {
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(
        sql`update records set agent_name = 'Wilhelmina', metadata = '{"a": ["nested treasure"]}' where id = ${call}`,
      ),
    );
    expect(await found('jennings')).toEqual([]);
    expect(await found('wilhelmina "nested treasure"')).toEqual([`record ${call}`]);
    await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${call}` });
    expect(await found('wilhelmina or zebra or safari')).toEqual([]);
    const left = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(sql`select from search_documents where record_id = ${call}`),
    );
    expect(left).toHaveLength(0);
  });
});

describe('a snippet', () => {
  it('escapes everything but its own marks, and cannot be made to hold others', async () => {
    const text = `pumpkin <mark>forged</mark> & "quoted" 'single' \u{E000}inner\u{E001} <img src=x onerror=alert(1)> a < b`;
    await addCall([text], { agentName: '<script>alert(1)</script> pumpkin' });
    const { data } = await search({ q: 'pumpkin' });
    expect(data).toHaveLength(2);
    for (const { snippet } of data) {
      const rest = snippet.replaceAll(/<mark>pumpkin<\/mark>/g, '');
      expect(rest).not.toMatch(/[<>"'\u{E000}\u{E001}]/u);
      expect(rest).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
      expect(snippet.match(/<mark>/g)).toHaveLength(1);
    }
  });

  it('is cut from a long text around what matched', async () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`);
    words[2_500] = 'lighthouse';
    const id = await addCall([words.join(' ')]);
    const { data } = await search({ q: 'lighthouse' });
    expect(data[0]).toMatchObject({ recordId: id });
    expect(data[0]?.snippet).toContain('<mark>lighthouse</mark>');
    expect(data[0]?.snippet.length).toBeLessThan(600);
  });

  it("shows the customer's number to nobody in full, wherever it stands and however it is written", async () => {
    const id = await addCall(['You can reach me under +44 7700 900123, giraffe, or 07700 900-123 giraffe.'], {
      customerPhone: '+447700900123',
      fileName: 'giraffe_447700900123.wav',
      metadata: { caller: '+44 (7700) 900123', queue: 'giraffe' },
    });
    await seedAnalysis(t, owner, { recordId: id, summary: 'The giraffe asked to be called at 00447700900123.' });
    const { data } = await search({ q: 'giraffe' });
    expect(data.map(({ type }) => type).toSorted()).toEqual(['analysis', 'record', 'transcript']);
    for (const { snippet } of data) {
      expect(snippet.replace(/\D/g, '')).not.toContain('7700900');
      expect(snippet).toContain('******0123');
    }
    for (const q of ['447700900123', '+447700900123', '900123', '"7700 900123"']) expect(await found(q)).toEqual([]);
  });
});

describe('the ranking', () => {
  let org: TestMember;

  beforeAll(async () => {
    org = await t.createOrg();
  });

  it('puts what fits best first, and ties by the newest', async () => {
    const often = await addCall(['walrus walrus walrus walrus'], { createdAt: new Date('2026-01-01') }, org);
    const ids: string[] = [];
    for (const day of ['02', '04', '03']) {
      ids.push(await addCall(['One walrus among many words'], { createdAt: new Date(`2026-01-${day}`) }, org));
    }
    const { data, meta } = await search({ q: 'walrus' }, org);
    expect(data.map(({ recordId }) => recordId)).toEqual([often, ids[1], ids[2], ids[0]]);
    expect(meta.total).toBe(4);
    for (const { score } of data) expect(score > 0 && score < 1).toBe(true);
    const first = await search({ q: 'walrus', limit: '2' }, org);
    expect(first).toEqual({ data: data.slice(0, 2), meta: { page: 1, pageSize: 2, total: 4, query: 'walrus' } });
  });

  it('counts to a thousand and no further', async () => {
    const rows = Array.from({ length: 1_005 }, (_, index) => ({
      agentName: index < 999 ? 'Bartholomew Common' : 'Common',
    }));
    await seedRecords(t, org, rows);
    expect((await search({ q: 'bartholomew', limit: '1' }, org)).meta.total).toBe(999);
    const common = await search({ q: 'common', limit: '100' }, org);
    expect([common.meta.total, common.data.length]).toEqual([1_000, 100]);
    expect((await search({ q: 'common', type: 'transcript' }, org)).meta.total).toBe(0);
  });

  it('ranks the newest thousand of a word that nearly every document has', async () => {
    const crowd = await t.createOrg();
    const rows = Array.from({ length: 1_000 }, () => ({ agentName: 'Ubiquitous', createdAt: new Date('2026-02-01') }));
    await seedRecords(t, crowd, rows);
    const agentName = 'Ubiquitous Ubiquitous';
    const [oldest, newest] = await seedRecords(t, crowd, [
      { agentName, createdAt: new Date('2026-01-01') },
      { agentName, createdAt: new Date('2026-03-01') },
    ]);
    const { data, meta } = await search({ q: 'ubiquitous', limit: '100' }, crowd);
    expect([data[0]?.recordId, meta.total]).toEqual([newest, 1_000]);
    expect(data.map(({ recordId }) => recordId)).not.toContain(oldest);
  });
});

describe('the language of a project', () => {
  it('decides what is a stem of what, and where there is none words stand for themselves', async () => {
    const [german, plain, english] = [
      await addProject('DE', 'de-AT'),
      await addProject('Plain', null),
      owner.projectId,
    ];
    const add = (text: string, projectId: string) => addCall([text], { projectId });
    const inGerman = await add('Die Rechnungen waren falsch.', german);
    const inPlain = await add('Rechnungen the running', plain);
    const inEnglish = await add('Rechnungen the running', english);
    expect(await found('Rechnung')).toEqual([`transcript ${inGerman}`]);
    expect(await found('Rechnungen')).toEqual(
      [inGerman, inPlain, inEnglish].map((id) => `transcript ${id}`).toSorted(),
    );
    expect(await found('runs')).toEqual([`transcript ${inEnglish}`]);
    expect(await found('the running')).toEqual([inPlain, inEnglish].map((id) => `transcript ${id}`).toSorted());
  });

  it('that changes holds for what comes then, and loses nothing that was there', async () => {
    const projectId = await addProject('Changing', 'en');
    const before = await addCall(['several armadillos'], { projectId });
    await t.as(owner, { method: 'PATCH', url: `/api/v1/projects/${projectId}`, payload: { language: null } });
    const after = await addCall(['several armadillos'], { projectId });
    expect(await found('armadillo')).toEqual([`transcript ${before}`]);
    expect(await found('armadillos')).toEqual([before, after].map((id) => `transcript ${id}`).toSorted());
  });
});

describe('what a search may see', () => {
  it('is what its sender may see', async () => {
    const org = await t.createOrg();
    const other = await addProject('Other', 'en', org);
    const [supervisor, agent, elsewhere] = [
      await t.addMember(org, 'supervisor', [other]),
      await t.addMember(org, 'agent'),
      await t.addMember(org, 'agent', [other]),
    ];
    const add = (record: object) => addCall(['a secret pelican'], record, org);
    const [inDefault, inOther] = [await add({}), await add({ projectId: other })];
    const [handled, uploaded] = [await add({ agentUserId: agent.userId }), await add({ uploadedBy: agent.userId })];
    const theirs = await add({ agentUserId: elsewhere.userId });
    const all = [inDefault, inOther, handled, uploaded, theirs].map((id) => `transcript ${id}`).toSorted();
    expect(await found('pelican', org)).toEqual(all);
    expect(await found('pelican', org, { projectId: other })).toEqual([`transcript ${inOther}`]);
    expect(await found('pelican', await t.addMember(org, 'reviewer'))).toEqual(all);
    expect(await found('pelican', supervisor)).toEqual([`transcript ${inOther}`]);
    expect(await found('pelican', supervisor, { projectId: org.projectId })).toEqual([]);
    expect(await found('pelican', agent)).toEqual([handled, uploaded].map((id) => `transcript ${id}`).toSorted());
    expect(await found('pelican', elsewhere)).toEqual([]);
    expect(await found('pelican')).toEqual([]);
    await t.deps.services.db.withOrg(org.orgId, (tx) =>
      tx.execute(sql`update records set agent_user_id = ${agent.userId} where id = ${inDefault}`),
    );
    expect((await search({ q: 'pelican' }, agent)).meta.total).toBe(3);
  });
});

describe('texts that are hard to index', () => {
  it.each([
    [
      'more different words than an index entry takes',
      Array.from({ length: 120_000 }, (_, n) => n.toString(36)).join(' '),
    ],
    ['a word without end', `${'x'.repeat(500_000)} `],
    ['quotes and backslashes', "it's a ''quoted'' \\ path C:\\temp\\'file' and \\' more "],
    ['every kind of token', 'a@b.example https://x.example/y?z=1 /usr/bin <a href="b"> 1.5e3 -7 v1.2.3 &amp; foo-bar '],
  ])('are found all the same: %s', async (_case, text) => {
    const id = await addCall([`narwhal ${text}`]);
    expect(await found('narwhal', owner, { type: 'transcript' })).toContain(`transcript ${id}`);
  });
});
