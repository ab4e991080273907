import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/model/scorecard.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const api = '/api/v1';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

// The default rubric: greeting 15, problemResolution 40, professionalism 30 and closing 15.
const automatic = { greeting: 60, problemResolution: 80, professionalism: 90, closing: null };
const weighted = (scores: [weight: number, score: number][]): number =>
  Math.round(scores.reduce((sum, [w, s]) => sum + w * s, 0) / scores.reduce((sum, [w]) => sum + w, 0));

const whole = { judgedShare: 1, needsReviewCount: 0 };

type Call = { recordId: string; id: string };
async function addCall({
  org = owner,
  record = {},
  analysis = {},
}: { org?: TestMember; record?: object; analysis?: object } = {}): Promise<Call> {
  const [recordId = ''] = await seedRecords(t, org, [
    { status: 'completed', durationSeconds: 60, agentName: 'Dana', ...record },
  ]);
  const id = await seedAnalysis(t, org, { recordId, qualityScore: 79, ...whole, categories: automatic, ...analysis });
  return { recordId, id };
}
const url = (id: string, rest = ''): string => `${api}/analyses/${id}/review${rest}`;
const submit = (id: string, payload: object, member = owner) => t.as(member, { method: 'POST', url: url(id), payload });
const dispute = (id: string, member = owner, comment = 'No.') =>
  t.as(member, { method: 'POST', url: url(id, '/dispute'), payload: { comment } });
const resolve = (id: string, member = owner, payload: object = { outcome: 'accepted', comment: 'Right.' }) =>
  t.as(member, { method: 'POST', url: url(id, '/resolve'), payload });
const get = (path: string, member = owner) => t.as(member, { url: `${api}${path}` });

async function weights(): Promise<Record<string, number>> {
  const { body } = await get('/profiles');
  const categories: { key: string; weight: number }[] = body.data[0].categories;
  return Object.fromEntries(categories.map(({ key, weight }) => [key, weight]));
}

describe('submitting a review', () => {
  it('answers 404 before, 201 for the first, 200 with the next revision afterwards', async () => {
    const { id } = await addCall();
    expect((await get(`/analyses/${id}/review`)).status).toBe(404);
    const first = await submit(id, { verdict: 'approved' });
    expect(first.status).toBe(201);
    expect(first.headers['location']).toBe(url(id));
    const scores = { qualityScore: 79, ...whole, categories: automatic, complianceStatus: 'passed' };
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^rev_/),
      analysisId: id,
      current: true,
      reviewer: { id: owner.userId, name: expect.any(String) },
      verdict: 'approved',
      automatic: scores,
      final: scores,
      comment: null,
      revision: 1,
      status: 'submitted',
      dispute: null,
      resolution: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const second = await submit(id, { verdict: 'adjusted', categories: { greeting: 100 }, comment: 'Heard it.' });
    expect(second.status).toBe(200);
    expect(second.headers['location']).toBeUndefined();
    expect(second.body.data).toMatchObject({
      id: first.body.data.id,
      revision: 2,
      verdict: 'adjusted',
      automatic: scores,
    });
    expect((await get(`/analyses/${id}/review`)).body).toEqual(second.body);
  });

  it('computes the final score from the adjusted categories by the weights of the profile', async () => {
    const { id } = await addCall();
    const w = await weights();
    const { body } = await submit(id, {
      verdict: 'adjusted',
      categories: { closing: 50, greeting: 100 },
      complianceStatus: 'needs_review',
      comment: 'x',
    });
    const { greeting = 0, problemResolution = 0, professionalism = 0, closing = 0 } = w;
    expect(body.data.final).toEqual({
      qualityScore: weighted([
        [greeting, 100],
        [problemResolution, 80],
        [professionalism, 90],
        [closing, 50],
      ]),
      ...whole,
      categories: { greeting: 100, problemResolution: 80, professionalism: 90, closing: 50 },
      complianceStatus: 'needs_review',
    });
    expect(Object.keys(body.data.final.categories)).toEqual(Object.keys(automatic));
    const without = await submit(id, { verdict: 'adjusted', categories: { greeting: null }, comment: 'x' });
    expect(without.body.data.final).toMatchObject({
      qualityScore: weighted([
        [problemResolution, 80],
        [professionalism, 90],
      ]),
      complianceStatus: 'passed',
    });
  });

  it('keeps the critical cap until the failed category itself is scored anew', async () => {
    const check: CheckResult = {
      key: 'professionalism.respect',
      category: 'professionalism',
      title: 'Respect',
      weight: 1,
      critical: true,
      answer: 'fail',
      score: 0,
      rationale: 'Rude.',
      evidence: [],
    };
    const { id } = await addCall({ analysis: { checks: [check], qualityScore: 49 } });
    const elsewhere = await submit(id, { verdict: 'adjusted', categories: { greeting: 100 }, comment: 'x' });
    expect(elsewhere.body.data.final.qualityScore).toBe(49);
    const still = await submit(id, { verdict: 'adjusted', categories: { professionalism: 49 }, comment: 'x' });
    expect(still.body.data.final.qualityScore).toBe(49);
    const lifted = await submit(id, { verdict: 'adjusted', categories: { professionalism: 70 }, comment: 'x' });
    expect(lifted.body.data.final.qualityScore).toBeGreaterThan(49);
  });

  it('leaves no score of a rejected analysis but those given with it', async () => {
    const { id, recordId } = await addCall();
    const { body } = await submit(id, { verdict: 'rejected', comment: 'A test call.' });
    const none = { greeting: null, problemResolution: null, professionalism: null, closing: null };
    const nothing = { qualityScore: null, judgedShare: null, needsReviewCount: 0 };
    expect(body.data.final).toEqual({ ...nothing, categories: none, complianceStatus: 'needs_review' });
    expect((await get(`/records/${recordId}`)).body.data).toMatchObject({
      qualityScore: null,
      complianceStatus: 'needs_review',
    });
    const given = await submit(id, {
      verdict: 'rejected',
      categories: { greeting: 20 },
      complianceStatus: 'failed',
      comment: 'x',
    });
    expect(given.body.data.final).toEqual({
      qualityScore: 20,
      ...whole,
      categories: { ...none, greeting: 20 },
      complianceStatus: 'failed',
    });
  });

  it.each([
    ['verdict', { verdict: 'fine' }],
    ['comment', { verdict: 'rejected' }],
    ['comment', { verdict: 'rejected', comment: '  ' }],
    ['comment', { verdict: 'adjusted', categories: { greeting: 1 } }],
    ['comment', { verdict: 'approved', comment: 'x'.repeat(5_001) }],
    ['categories', { verdict: 'adjusted', comment: 'x' }],
    ['categories', { verdict: 'adjusted', categories: {}, comment: 'x' }],
    ['categories.politeness', { verdict: 'adjusted', categories: { politeness: 1 }, comment: 'x' }],
    ['categories.toString', { verdict: 'adjusted', categories: { toString: 1 }, comment: 'x' }],
    ['categories.greeting', { verdict: 'adjusted', categories: { greeting: 101 }, comment: 'x' }],
    ['categories.greeting', { verdict: 'adjusted', categories: { greeting: -1 }, comment: 'x' }],
    ['categories.greeting', { verdict: 'adjusted', categories: { greeting: 1.5 }, comment: 'x' }],
    ['categories.greeting', { verdict: 'approved', categories: { greeting: 61 } }],
    ['complianceStatus', { verdict: 'approved', complianceStatus: 'failed' }],
    ['complianceStatus', { verdict: 'adjusted', categories: {}, complianceStatus: 'good', comment: 'x' }],
    ['categories', { verdict: 'adjusted', categories: automatic, comment: 'Nothing is changed.' }],
    ['categories', { verdict: 'adjusted', categories: { greeting: 60, closing: null }, comment: 'x' }],
    ['complianceStatus', { verdict: 'adjusted', categories: {}, complianceStatus: 'passed', comment: 'x' }],
    [
      'complianceStatus',
      { verdict: 'adjusted', categories: { greeting: 60 }, complianceStatus: 'passed', comment: 'x' },
    ],
  ])('names %s as the mistake in %j', async (path, payload) => {
    const { id } = await addCall();
    const { status, body } = await submit(id, payload);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
    expect((await get(`/analyses/${id}/review`)).status).toBe(404);
  });

  it('takes what an approval only repeats, and an adjustment of compliance alone', async () => {
    const { id } = await addCall();
    const repeated = await submit(id, { verdict: 'approved', categories: automatic, complianceStatus: 'passed' });
    expect(repeated.status).toBe(201);
    const { body } = await submit(id, {
      verdict: 'adjusted',
      categories: {},
      complianceStatus: 'failed',
      comment: 'x',
    });
    expect(body.data.final).toMatchObject({ categories: automatic, complianceStatus: 'failed' });
  });

  it('is refused for an analysis that is not completed', async () => {
    const { id } = await addCall({ analysis: { status: 'failed', current: false } });
    expect(await submit(id, { verdict: 'approved' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
  });
});

describe('final values', () => {
  it('are what lists, filters, sorts and details show; the automatic ones stay readable', async () => {
    const org = await t.createOrg();
    const reviewed = await addCall({ org });
    const other = await addCall({ org });
    await submit(
      reviewed.id,
      {
        verdict: 'adjusted',
        categories: { greeting: 0, problemResolution: 0, professionalism: 0 },
        complianceStatus: 'failed',
        comment: 'x',
      },
      org,
    );
    const ids = async (path: string): Promise<string[]> => (await get(path, org)).body.data.map((row: Call) => row.id);
    const analyses = await Promise.all([
      ids('/analyses?sort=qualityScore&order=asc'),
      ids('/analyses?maxScore=10'),
      ids('/analyses?minScore=10'),
      ids('/analyses?complianceStatus=failed'),
      ids('/analyses?complianceStatus=passed'),
      ids('/analyses?reviewed=true'),
      ids('/analyses?reviewed=false'),
    ]);
    const [a, b] = [reviewed.id, other.id];
    expect(analyses).toEqual([[a, b], [a], [b], [a], [b], [a], [b]]);
    expect((await get('/analyses?reviewed=true', org)).body.meta.total).toBe(1);
    expect(await ids('/records?sort=qualityScore&order=asc')).toEqual([reviewed.recordId, other.recordId]);
    const item = (await get('/analyses?reviewed=true', org)).body.data[0];
    const final = {
      qualityScore: 0,
      complianceStatus: 'failed',
      categories: { greeting: 0, problemResolution: 0, professionalism: 0, closing: null },
    };
    expect(item).toMatchObject({ ...final, reviewed: true });
    expect((await get(`/analyses/${a}`, org)).body.data).toMatchObject({
      ...final,
      reviewed: true,
      automatic: { qualityScore: 79, categories: automatic, complianceStatus: 'passed' },
    });
    expect((await get(`/records/${reviewed.recordId}`, org)).body.data).toMatchObject({
      qualityScore: 0,
      complianceStatus: 'failed',
    });
  });

  it('move the statistics of the project with every revision', async () => {
    const org = await t.createOrg();
    const first = await addCall({ org, record: { createdAt: new Date('2026-03-02T08:00:00Z') } });
    await addCall({ org, record: { createdAt: new Date('2026-03-02T09:00:00Z') } });
    const average = async (): Promise<number> =>
      (await get(`/projects/${org.projectId}/stats?from=2026-03-01&to=2026-03-03`, org)).body.data.averageQualityScore;
    expect(await average()).toBe(79);
    const zero = { greeting: 0, problemResolution: 0, professionalism: 0 };
    await submit(first.id, { verdict: 'adjusted', categories: zero, comment: 'x' }, org);
    expect(await average()).toBe(39.5);
    await submit(first.id, { verdict: 'rejected', comment: 'x' }, org);
    expect(await average()).toBe(79);
    await submit(first.id, { verdict: 'adjusted', categories: { ...zero, closing: 0 }, comment: 'x' }, org);
    expect(await average()).toBe(39.5);
  });

  it('are not made of a superseded version: the review is refused, and names the current one', async () => {
    const { id: current, recordId } = await addCall({ analysis: { version: 2 } });
    const old = await seedAnalysis(t, owner, { recordId, version: 1, current: false, categories: automatic });
    const { status, body } = await submit(old, { verdict: 'rejected', comment: 'x' });
    expect(status).toBe(409);
    expect(body.error.details[0].message).toContain(current);
    expect((await get(`/records/${recordId}`)).body.data).toMatchObject({
      qualityScore: 79,
      complianceStatus: 'passed',
    });
    expect((await get(`/analyses/${current}`)).body.data.reviewed).toBe(false);
    expect((await get(`/analyses/${old}`)).body.data).toMatchObject({ reviewed: false, current: false });
  });

  it('are announced once for every revision', async () => {
    const { id, recordId } = await addCall();
    const { body } = await submit(id, { verdict: 'approved' });
    await submit(id, { verdict: 'rejected', comment: 'x' });
    const events = await t.deps.connections.system`
      select data from outbox where org_id = ${owner.orgId} and type = 'analysis.reviewed'
         and data->>'analysisId' = ${id} order by id`;
    const shared = {
      analysisId: id,
      recordId,
      projectId: owner.projectId,
      version: 1,
      reviewId: body.data.id,
      reviewerId: owner.userId,
    };
    const scores = { qualityScore: 79, ...whole, complianceStatus: 'passed' };
    expect(events.map(({ data }) => data)).toEqual([
      { ...shared, revision: 1, verdict: 'approved', ...scores, automatic: scores },
      {
        ...shared,
        revision: 2,
        verdict: 'rejected',
        qualityScore: null,
        judgedShare: null,
        needsReviewCount: 0,
        complianceStatus: 'needs_review',
        automatic: scores,
      },
    ]);
  });
});

describe('a call of which too little was judged', () => {
  const check = (category: string, answer: CheckResult['answer'], weight = 1): CheckResult => ({
    key: `${category}.${answer}`,
    category,
    title: 'A check',
    weight,
    critical: false,
    answer,
    score: answer === 'pass' ? 100 : null,
    rationale: '',
    evidence: [],
  });
  const checks = [
    check('greeting', 'pass'),
    check('problemResolution', 'needs_review'),
    check('professionalism', 'pass'),
    check('professionalism', 'needs_review', 3),
    check('closing', 'not_applicable'),
  ];
  // (15 + 30 / 4) / 85
  const scores = { qualityScore: null, judgedShare: 0.264, needsReviewCount: 2 };
  const categories = { greeting: 100, problemResolution: null, professionalism: 100, closing: null };

  it('has no score, is in no average and waits, until a review has settled enough', async () => {
    const org = await t.createOrg();
    const day = new Date('2026-03-02T08:00:00Z');
    const { id, recordId } = await addCall({
      org,
      record: { createdAt: day },
      analysis: { checks, ...scores, categories },
    });
    await addCall({ org, record: { createdAt: day } });
    const stats = async () =>
      (await get(`/projects/${org.projectId}/stats?from=2026-03-01&to=2026-03-03`, org)).body.data;
    const waiting = async () =>
      (await get('/records?awaitsReview=true', org)).body.data.map((record: { id: string }) => record.id);
    expect(await stats()).toMatchObject({ averageQualityScore: 79, averageJudgedShare: 0.632, awaitingReview: 1 });
    expect(await waiting()).toEqual([recordId]);
    expect((await get('/analyses?awaitsReview=true', org)).body.data).toMatchObject([{ id, ...scores }]);
    expect((await get('/analyses?awaitsReview=false', org)).body.meta.total).toBe(1);

    const little = await submit(id, { verdict: 'adjusted', categories: { professionalism: 60 }, comment: 'x' }, org);
    // (15 + 30) / 85: still less than 0.6.
    expect(little.body.data.final).toMatchObject({ qualityScore: null, judgedShare: 0.529, needsReviewCount: 1 });
    expect(await stats()).toMatchObject({ averageQualityScore: 79, averageJudgedShare: 0.765, awaitingReview: 0 });

    const enough = await submit(id, { verdict: 'adjusted', categories: { problemResolution: 50 }, comment: 'x' }, org);
    // 62.5 of 85 is judged: (15 × 100 + 40 × 50 + 30 × 100) / 85.
    const final = { qualityScore: 76, judgedShare: 0.735, needsReviewCount: 1 };
    expect(enough.body.data.final).toMatchObject(final);
    expect(enough.body.data.automatic).toMatchObject(scores);
    expect((await get(`/records/${recordId}`, org)).body.data).toMatchObject(final);
    expect((await get(`/analyses/${id}`, org)).body.data).toMatchObject({ ...final, automatic: scores });
    expect(await stats()).toMatchObject({ averageQualityScore: 77.5, averageJudgedShare: 0.868, awaitingReview: 0 });
    expect(await waiting()).toEqual([]);
  });

  it('is judged further by a reviewer who gives a category the score of its judged part', async () => {
    const { id } = await addCall({ analysis: { checks, ...scores, categories } });
    const { status, body } = await submit(id, {
      verdict: 'adjusted',
      categories: { professionalism: 100, problemResolution: 100 },
      comment: 'Heard all of it.',
    });
    expect(status).toBe(201);
    expect(body.data.final).toMatchObject({ qualityScore: 100, judgedShare: 1, needsReviewCount: 0 });
    const nothing = await submit(id, { verdict: 'adjusted', categories: { greeting: 100 }, comment: 'x' });
    expect(nothing.status).toBe(400);
  });

  it('comes last in lists by score, and first in those by what was judged', async () => {
    const org = await t.createOrg();
    const open = await addCall({ org, analysis: { checks, ...scores, categories } });
    const judged = await addCall({ org });
    const ids = async (path: string): Promise<string[]> =>
      (await get(path, org)).body.data.map((item: { id: string }) => item.id);
    for (const order of ['asc', 'desc']) {
      expect(await ids(`/records?sort=qualityScore&order=${order}`)).toEqual([judged.recordId, open.recordId]);
    }
    expect(await ids('/records?sort=judgedShare&order=asc')).toEqual([open.recordId, judged.recordId]);
    expect(await ids('/analyses?sort=judgedShare&order=desc')).toEqual([judged.id, open.id]);
    expect(await ids('/analyses?maxJudgedShare=0.264')).toEqual([open.id]);
    expect(await ids('/analyses?minJudgedShare=0.265')).toEqual([judged.id]);
    const crossed = await get('/analyses?minJudgedShare=0.9&maxJudgedShare=0.1', org);
    expect(crossed.body.error.details).toEqual([
      { path: 'minJudgedShare', message: '`minJudgedShare` is above `maxJudgedShare`' },
    ]);
  });
});

describe('reviews at the same time', () => {
  it('each get a revision of their own, and the last one counts everywhere', async () => {
    const { id, recordId } = await addCall();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        submit(id, { verdict: 'adjusted', categories: { greeting: n * 8 }, comment: `c${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 11 }, () => 200), 201]);
    const revisions = answers.map(({ body }) => body.data.revision);
    expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const history = (await get(`/analyses/${id}/review/history?pageSize=100`)).body;
    expect(history.meta.total).toBe(12);
    for (const { body } of answers) {
      const { revision, comment, final } = body.data;
      expect(history.data[revision - 1]).toMatchObject({ kind: 'submitted', revision, comment, final });
    }
    const last = answers.find(({ body }) => body.data.revision === 12)?.body.data;
    expect((await get(`/analyses/${id}/review`)).body.data).toEqual(last);
    const { qualityScore } = last.final;
    expect((await get(`/records/${recordId}`)).body.data.qualityScore).toBe(qualityScore);
    expect((await get(`/analyses/${id}`)).body.data.qualityScore).toBe(qualityScore);
  });

  it('and a deletion of the record end in a review of nothing or in none', async () => {
    const { id, recordId } = await addCall();
    const [removed, ...reviews] = await Promise.all([
      t.as(owner, { method: 'DELETE', url: `${api}/records/${recordId}` }),
      ...Array.from({ length: 4 }, () => submit(id, { verdict: 'approved' })),
    ]);
    expect(removed.status).toBe(204);
    for (const { status } of reviews) expect([200, 201, 404]).toContain(status);
    const left = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(`select r.id from reviews r where analysis_id = '${id}'`),
    );
    expect(left).toHaveLength(0);
  });

  it('dispute it once', async () => {
    const { id } = await addCall();
    await submit(id, { verdict: 'approved' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => dispute(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('a dispute', () => {
  it('goes from submitted to disputed to resolved, and every step stays readable', async () => {
    const agent = await t.addMember(owner, 'agent');
    const { id } = await addCall({ record: { agentUserId: agent.userId } });
    await submit(id, { verdict: 'adjusted', categories: { greeting: 0 }, comment: 'No greeting.' });
    const disputed = await dispute(id, agent, 'I said hello.');
    expect(disputed.status).toBe(200);
    expect(disputed.body.data).toMatchObject({
      status: 'disputed',
      revision: 1,
      dispute: { comment: 'I said hello.', author: { id: agent.userId }, revision: 1 },
      resolution: null,
    });
    const corrected = await submit(id, { verdict: 'approved' });
    expect(corrected.body.data).toMatchObject({
      revision: 2,
      status: 'disputed',
      dispute: { comment: 'I said hello.' },
    });
    const resolved = await resolve(id);
    expect(resolved.body.data).toMatchObject({
      status: 'resolved',
      resolution: { outcome: 'accepted', comment: 'Right.', author: { id: owner.userId } },
      final: { qualityScore: 79 },
    });
    const again = await submit(id, { verdict: 'approved' });
    expect(again.body.data).toMatchObject({ revision: 3, status: 'submitted', dispute: null, resolution: null });
    const history = await get(`/analyses/${id}/review/history`, agent);
    expect(
      history.body.data.map(({ kind, revision, outcome }: Record<string, unknown>) => [kind, revision, outcome]),
    ).toEqual([
      ['submitted', 1, null],
      ['disputed', 1, null],
      ['submitted', 2, null],
      ['resolved', 2, 'accepted'],
      ['submitted', 3, null],
    ]);
    expect((await get(`/analyses/${id}/review/history?page=2&pageSize=2`)).body).toMatchObject({
      data: [{ revision: 2 }, { revision: 2 }],
      meta: { total: 5 },
    });
  });

  it('cannot be raised twice or after its end, nor resolved where there is none', async () => {
    const { id } = await addCall();
    expect([(await dispute(id)).status, (await resolve(id)).status]).toEqual([404, 404]);
    await submit(id, { verdict: 'approved' });
    expect((await resolve(id)).status).toBe(409);
    expect((await dispute(id)).status).toBe(200);
    expect((await dispute(id)).status).toBe(409);
    expect((await resolve(id)).status).toBe(200);
    expect([(await resolve(id)).status, (await dispute(id)).status]).toEqual([409, 409]);
  });

  it('needs words, and a resolution an outcome', async () => {
    const { id } = await addCall();
    await submit(id, { verdict: 'approved' });
    expect((await dispute(id, owner, ' ')).body.error.details).toMatchObject([{ path: 'comment' }]);
    const mistakes = await resolve(id, owner, { outcome: 'maybe' });
    expect(mistakes.body.error.details).toMatchObject([{ path: 'outcome' }, { path: 'comment' }]);
  });

  it("is an agent's to raise on own calls only, and nobody's who sees the call not", async () => {
    const agent = await t.addMember(owner, 'agent');
    const { id } = await addCall();
    await submit(id, { verdict: 'approved' });
    expect((await dispute(id, agent)).status).toBe(404);
    const elsewhere = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: 'Elsewhere' } });
    const limited = await t.addMember(owner, 'reviewer', [elsewhere.body.data.id]);
    const answers = await Promise.all([
      submit(id, { verdict: 'approved' }, limited),
      dispute(id, limited),
      resolve(id, limited),
      get(`/analyses/${id}/review`, limited),
      get(`/analyses/${id}/review/history`, limited),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await get(`/analyses/${id}/review`)).body.data).toMatchObject({ revision: 1, status: 'submitted' });
  });
});
