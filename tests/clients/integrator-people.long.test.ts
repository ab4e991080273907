import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startIntegrator, until, wave, type Answer, type Integrator } from '../support/integrator.ts';

/** Annotations, reviews, people and budgets. */
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let agent: TestMember;
let call: { id: string; analysisId: string };
let profileId: string;

beforeAll(async () => {
  s = await startIntegrator();
  owner = await s.app.createOrg();
  stranger = await s.app.createOrg();
  agent = await s.app.addMember(owner, 'agent');
  call = await s.scored(owner, { metadata: { agentName: 'Anna' } });
  const path = [call.id];
  const corrected = await s.request(owner, 'updateRecord', { path, json: { agentId: agent.userId } });
  if (corrected.status !== 200) throw new Error(JSON.stringify(corrected.body));
  profileId = (await s.request(owner, 'getProject', { path: [owner.projectId] })).body.data.profileId;
});
afterAll(() => s.close());

/** An operation on the analysis. */
const on = (who: TestMember, operationId: string, json?: unknown, ...more: string[]): Promise<Answer> =>
  s.request(who, operationId, { path: [call.analysisId, ...more], json });

describe('annotations', () => {
  it.each([
    ['on the whole', { text: 'Well done 😀' }, { type: 'comment', segmentId: null, category: null }],
    ['at a time', { text: 'Here', startMs: 0, endMs: 2_147_483_647, type: 'issue' }, { startMs: 0, type: 'issue' }],
    ['on a category', { text: 'Warm', category: 'greeting', type: 'praise' }, { category: 'greeting' }],
    ['with 5000 letters', { text: 'é'.repeat(5000), type: 'correction' }, { type: 'correction' }],
  ])('%s are made, read, changed and deleted', async (_, json, expected) => {
    const made = await on(agent, 'createAnnotation', json);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({ ...expected, text: json.text, author: { id: agent.userId } });
    expect(made.headers['location']).toBe(`/api/v1/analyses/${call.analysisId}/annotations/${id}`);
    expect((await on(owner, 'getAnnotation', undefined, id)).body).toEqual(made.body);
    expect((await on(owner, 'updateAnnotation', { text: 'Mine' }, id)).status).toBe(403);
    expect((await on(agent, 'updateAnnotation', { text: 'Mine' }, id)).body.data.text).toBe('Mine');
    expect((await on(stranger, 'getAnnotation', undefined, id)).status).toBe(404);
    expect((await on(owner, 'deleteAnnotation', undefined, id)).status).toBe(403);
    expect((await on(agent, 'deleteAnnotation', undefined, id)).status).toBe(204);
    expect((await on(agent, 'getAnnotation', undefined, id)).status).toBe(404);
  });

  it.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['5001 letters', { text: 'a'.repeat(5001) }],
    ['another type', { text: 'a', type: 'joke' }],
    ['a time before the call', { text: 'a', startMs: -1 }],
    ['a time with a fraction', { text: 'a', startMs: 0.5 }],
    ['an end before its start', { text: 'a', startMs: 10, endMs: 5 }],
    ['a segment that is not there', { text: 'a', segmentId: 'seg_x' }],
    ['a category that is not there', { text: 'a', category: 'nothing' }],
  ])('with %s are refused', async (_, json) => {
    const { status, body } = await on(owner, 'createAnnotation', json);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a review', () => {
  it.each([
    ['no verdict', {}],
    ['another verdict', { verdict: 'fine' }],
    ['a rejection without a comment', { verdict: 'rejected' }],
    ['an adjustment of nothing', { verdict: 'adjusted', comment: 'x' }],
    ['a score of 101', { verdict: 'adjusted', comment: 'x', categories: { greeting: 101 } }],
    ['a score below 0', { verdict: 'adjusted', comment: 'x', categories: { greeting: -1 } }],
    ['a category that is not there', { verdict: 'adjusted', comment: 'x', categories: { nothing: 50 } }],
    ['5001 letters', { verdict: 'rejected', comment: 'a'.repeat(5001) }],
    ['a status that is none', { verdict: 'approved', complianceStatus: 'good' }],
  ])('with %s is refused', async (_, json) => {
    expect((await on(owner, 'submitReview', json)).status).toBe(400);
  });

  it('is made, revised, disputed and resolved', async () => {
    const before = (await on(owner, 'getAnalysis')).body.data;
    expect((await on(owner, 'getReview')).status).toBe(404);
    expect((await on(agent, 'disputeReview', { comment: 'No' })).status).toBe(404);
    const first = await on(owner, 'submitReview', { verdict: 'approved' });
    expect([first.status, first.body.data.revision, first.body.data.status]).toEqual([201, 1, 'submitted']);
    const given = before.categories.greeting === 0 ? 100 : 0;
    const json = { verdict: 'adjusted', comment: 'Heard it', categories: { greeting: given } };
    const second = await on(owner, 'submitReview', json);
    expect([second.status, second.body.data.revision]).toEqual([200, 2]);
    expect(second.body.data.automatic.qualityScore).toBe(before.qualityScore);
    expect(second.body.data.final.categories.greeting).toBe(given);
    expect((await s.request(owner, 'listRecords', { query: 'reviewed=true' })).body.meta.total).toBe(1);
    expect((await on(owner, 'resolveReview', { outcome: 'accepted', comment: 'x' })).status).toBe(409);
    expect((await on(agent, 'submitReview', { verdict: 'approved' })).status).toBe(403);
    const disputed = await on(agent, 'disputeReview', { comment: 'I did greet' });
    expect(disputed.body.data.status).toBe('disputed');
    expect((await on(agent, 'resolveReview', { outcome: 'accepted', comment: 'x' })).status).toBe(403);
    const resolved = await on(owner, 'resolveReview', { outcome: 'partially_accepted', comment: 'x' });
    expect(resolved.body.data.status).toBe('resolved');
    const { body } = await on(agent, 'listReviewHistory');
    expect(body.meta.total).toBe(4);
  });

  it('stays where the call is analysed again, unless it is said', async () => {
    expect((await on(owner, 'reanalyze', { profileId })).status).toBe(409);
    expect((await on(owner, 'reanalyze', { profileId: 'prf_x', replaceReview: true })).status).toBe(422);
    const again = await on(owner, 'reanalyze', { profileId, replaceReview: true, reason: 'r' });
    expect([again.status, again.body.data.previousAnalysisId]).toEqual([202, call.analysisId]);
    const path = [again.body.data.id];
    const done = await until(
      () => s.request(owner, 'getAnalysis', { path }),
      ({ body }) => body.data.status === 'completed',
    );
    expect(done.body.data).toMatchObject({ current: true, version: 2, reviewed: false });
    expect((await on(owner, 'getAnalysis')).body.data).toMatchObject({ current: false, version: 1 });
    expect((await s.request(owner, 'listAnalyses')).body.meta.total).toBe(1);
    expect((await s.request(owner, 'listAnalyses', { query: 'versions=all' })).body.meta.total).toBe(2);
    const swapped = await s.request(owner, 'swapSpeakers', { path: [call.id], json: { replaceReview: true } });
    expect(swapped.status).toBe(202);
    await until(
      () => s.request(owner, 'getAnalysis', { path: [swapped.body.data.id] }),
      ({ body }) => body.data.status === 'completed',
    );
    const { body } = await s.request(owner, 'getRecordTranscript', { path: [call.id] });
    expect(body.data.segments[0].role).toBe('customer');
  });
});

describe('people', () => {
  it.each(['admin', 'supervisor', 'reviewer', 'agent', 'owner'])(
    'are invited as %s, changed and removed',
    async (role) => {
      const email = `${role}.new@example.com`;
      const made = await s.request(owner, 'inviteUser', { json: { email, role } });
      expect(made.body.data).toMatchObject({ email, role, status: 'invited', lastSeenAt: null });
      const path = [made.body.data.id];
      expect((await s.request(owner, 'inviteUser', { json: { email: email.toUpperCase(), role } })).status).toBe(409);
      expect((await s.request(owner, 'getUser', { path })).body).toEqual(made.body);
      const changed = await s.request(owner, 'updateUser', { path, json: { role: 'agent' } });
      expect(changed.body.data.role).toBe('agent');
      expect((await s.request(stranger, 'removeUser', { path })).status).toBe(404);
      expect((await s.request(owner, 'removeUser', { path })).status).toBe(204);
      expect((await s.request(owner, 'getUser', { path })).status).toBe(404);
    },
  );

  it.each([
    [{ email: 'no address', role: 'agent' }, 400],
    [{ email: 'a@example.com' }, 400],
    [{ email: 'a@example.com', role: 'king' }, 400],
    [{ email: `${'a'.repeat(250)}@example.com`, role: 'agent' }, 400],
    [{ email: 'a@example.com', role: 'agent', projectIds: 'all' }, 400],
    [{ email: 'a@example.com', role: 'agent', projectIds: ['prj_x'] }, 422],
  ])('%j is refused with %d', async (json, status) => {
    expect((await s.request(owner, 'inviteUser', { json })).status).toBe(status);
  });

  it('cannot all go, and lose their tokens when they do', async () => {
    const path = [owner.userId];
    expect((await s.request(owner, 'removeUser', { path })).status).toBe(409);
    expect((await s.request(owner, 'updateUser', { path, json: { role: 'admin' } })).status).toBe(409);
    const gone = await s.app.addMember(owner, 'reviewer');
    expect((await s.request(gone, 'listRecords')).status).toBe(200);
    await s.request(owner, 'removeUser', { path: [gone.userId] });
    expect((await s.request(gone, 'listRecords')).status).toBe(401);
  });

  it('never raise themselves', async () => {
    const admin = await s.app.addMember(owner, 'admin');
    const raised = await s.request(admin, 'updateUser', { path: [admin.userId], json: { role: 'owner' } });
    expect(raised.status).toBe(403);
    expect((await s.request(admin, 'inviteUser', { json: { email: 'o@example.com', role: 'owner' } })).status).toBe(
      403,
    );
    expect((await s.request(admin, 'removeUser', { path: [owner.userId] })).status).toBe(403);
  });

  it('of one project see that project', async () => {
    const other = await s.request(owner, 'createProject', { json: { name: 'Other' } });
    const limited = await s.app.addMember(owner, 'supervisor', [other.body.data.id]);
    expect((await s.request(limited, 'listRecords')).body.meta.total).toBe(0);
    expect((await s.request(limited, 'getRecord', { path: [call.id] })).status).toBe(404);
    expect((await s.request(limited, 'listProjects')).body.meta.total).toBe(1);
    expect((await s.request(limited, 'search', { query: 'q=zeppelin' })).body.meta.total).toBe(0);
  });
});

describe('the budget', () => {
  const budget = (budgetLimit: unknown, who = owner) =>
    s.request(who, 'updateBudget', { path: [owner.orgId], json: { budgetLimit } });

  it.each([-0.01, -1, 1_000_000_001, '50', true, [], 1e300])('of %j is refused', async (limit) => {
    expect((await budget(limit)).status).toBe(400);
  });

  it.each([0, 0.01, 50, 19.99, 1_000_000_000, null])('of %j is taken', async (limit) => {
    expect((await budget(limit)).body.data.budgetLimit).toBe(limit);
  });

  it('that is used up stops what costs, and nothing else', async () => {
    await budget(0);
    const refused = await s.upload(owner, { file: wave(2) });
    expect([refused.status, refused.body.error.code]).toEqual([402, 'BUDGET_EXCEEDED']);
    const json = {
      externalId: 'b-1',
      projectId: owner.projectId,
      recordingUrl: 'https://recordings.example.com/a.wav',
    };
    expect((await s.request(owner, 'ingestRecord', { json })).status).toBe(402);
    expect((await s.request(owner, 'listRecords')).status).toBe(200);
    await budget(null);
    const { body } = await s.request(owner, 'getUsage', { path: [owner.orgId] });
    expect(body.data.totals).toMatchObject({ records: 1, minutes: 0.2, transcriptionCost: 0 });
  });

  it('of others is not told', async () => {
    const path = [owner.orgId];
    for (const operationId of ['getUsageSummary', 'getUsage', 'listCredits']) {
      expect((await s.request(stranger, operationId, { path })).status).toBe(403);
    }
    expect((await s.request(stranger, 'updateBudget', { path, json: { budgetLimit: 1 } })).status).toBe(403);
  });
});
