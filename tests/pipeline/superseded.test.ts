import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crmCalls, portals, records } from '../../src/db/schema/index.ts';
import { beginReanalysis, failReanalysis, publishReanalysis } from '../../src/domain/processing/reprocessing.ts';
import { planReport } from '../../src/domain/portals/reports.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { publishCall, publishedValues } from '../support/published-call.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { asAdmin, eventually } from './support/hosts.ts';

type Body = ReturnType<typeof JSON.parse>;
type Call = { recordId: string; analysisId: string };

let t: TestApp;
let owner: TestMember;
let profileId: string;

/** Nothing runs but what a test does itself, in the order that it is about. */
beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { PRICE_ANALYSIS_PER_RECORD: '0.5', LOG_LEVEL: 'silent' } });
});
beforeEach(async () => {
  owner = await t.createOrg();
  profileId = (await get('/profiles'))[0].id;
});
afterAll(() => t.close());

const post = (path: string, payload: object = {}, member = owner) =>
  t.as(member, { method: 'POST', url: `/api/v1${path}`, payload });
const get = async (path: string): Promise<Body> => (await t.as(owner, { url: `/api/v1${path}` })).body.data;
const adjusted = { verdict: 'adjusted', categories: { greeting: 90 }, comment: 'I heard a greeting.' };
const review = (id: string, payload: object = adjusted) => post(`/analyses/${id}/review`, payload);
const reanalyze = (id: string, payload: object = {}) => post(`/analyses/${id}/re-analyze`, { profileId, ...payload });
const inOrg: TestApp['deps']['services']['db']['withOrg'] = (...args) => t.deps.services.db.withOrg(...args);

async function begun({ recordId, analysisId }: Call, payload: object = {}): Promise<Call> {
  const { status, body } = await reanalyze(analysisId, payload);
  expect({ status, body }).toMatchObject({ status: 202 });
  const next = { recordId, analysisId: body.data.id };
  await beginReanalysis(t.deps.services, { ...next, orgId: owner.orgId });
  return next;
}

/** Its last step; `beforeCommit` runs while the record is held and nobody sees the outcome yet. */
async function publish(next: Call, beforeCommit?: () => Promise<void>): Promise<string> {
  const values = await publishedValues(t, owner, { qualityScore: 30, categories: { greeting: 30, closing: null } });
  return inOrg(owner.orgId, async (tx) => {
    const outcome = await publishReanalysis(tx, next, { ...values, heard: null });
    await beforeCommit?.();
    return outcome;
  });
}

/** Until as many statements as that wait for a row that somebody else holds. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length >= count || undefined;
  });
}

/** As a process of an older release would write it, which knows nothing of re-analyses under way. */
async function reviewedByOlderRelease({ recordId, analysisId }: Call): Promise<void> {
  await inOrg(owner.orgId, async (tx) => {
    await tx.execute(`insert into reviews (org_id, id, analysis_id, revision, status, verdict, reviewer_id, reviewer_name)
      values ('${owner.orgId}', 'rev_${analysisId.slice(4)}', '${analysisId}', 1, 'submitted', 'adjusted', '${owner.userId}', 'Ann')`);
    await tx.execute(`update analyses set reviewed = true, final_quality_score = 90, final_compliance_status = 'passed',
      final_categories = '{"greeting": 90, "closing": null}' where id = '${analysisId}'`);
    await tx.execute(`update records set reviewed = true, quality_score = 90 where id = '${recordId}'`);
  });
}

const reserved = async (): Promise<number> => {
  const rows = await inOrg(owner.orgId, (tx) => tx.execute<{ reserved: string }>('select reserved from budgets'));
  return Number(rows[0]?.reserved);
};

describe('a review of a call that is being analysed again', () => {
  it('is refused with the reason until that has ended, and then is one of what counts', async () => {
    const call = await publishCall(t, owner);
    const pending = (await reanalyze(call.analysisId)).body.data.id;
    const refused = await review(call.analysisId);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(refused.body.error.message).toMatch(/being analysed again/);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await t.as(owner, { url: `/api/v1/analyses/${call.analysisId}/review` })).status).toBe(404);
    const next = { recordId: call.recordId, analysisId: pending };
    await beginReanalysis(t.deps.services, { ...next, orgId: owner.orgId });
    expect((await review(call.analysisId)).status).toBe(409);
    expect(await publish(next)).toBe('published');
    expect((await review(pending)).status).toBe(201);
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: pending, qualityScore: 90 });
  });

  it('is taken again when the re-analysis has failed', async () => {
    const call = await publishCall(t, owner);
    const next = await begun(call);
    const failure = { code: 'SCORING_FAILED', message: 'The call could not be scored.', retryable: false };
    await inOrg(owner.orgId, (tx) => failReanalysis(tx, next, failure));
    expect((await review(call.analysisId)).status).toBe(201);
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: call.analysisId, qualityScore: 90 });
  });

  it('is refused also when it comes while the outcome is being published', async () => {
    const call = await publishCall(t, owner);
    const next = await begun(call);
    let late: ReturnType<typeof review> | undefined;
    const outcome = await publish(next, async () => {
      late = review(call.analysisId);
      await waiting(1);
    });
    expect(outcome).toBe('published');
    const { status, body } = (await late) ?? {};
    expect({ status, message: body?.error.message }).toEqual({
      status: 409,
      message: 'A later analysis has taken the place of this one, which can no longer be reviewed.',
    });
    expect(body.error.details).toEqual([
      { path: 'id', message: `The current analysis of the call is ${next.analysisId}.` },
    ]);
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: next.analysisId, qualityScore: 30 });
  });

  it('comes before or after the request for one, never between: one of both is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const call = await publishCall(t, owner);
      const [reviewed, asked] = await Promise.all([review(call.analysisId), reanalyze(call.analysisId)]);
      expect([reviewed.status, asked.status].toSorted()).toEqual(reviewed.status === 201 ? [201, 409] : [202, 409]);
    }
  });

  it('by a process that does not know of it stands: the re-analysis fails and holds no budget', async () => {
    const call = await publishCall(t, owner);
    const limit = {
      method: 'PATCH',
      url: `/api/v1/billing/budget/${owner.orgId}`,
      payload: { budgetLimit: 100 },
    } as const;
    expect((await t.as(owner, limit)).status).toBe(200);
    const next = await begun(call);
    expect(await reserved()).toBe(0.5);
    await reviewedByOlderRelease(call);
    expect(await publish(next)).toBe('refused');
    expect(await get(`/analyses/${next.analysisId}`)).toMatchObject({
      status: 'failed',
      current: false,
      failure: { code: 'REVIEWED_MEANWHILE', retryable: false },
    });
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: call.analysisId, qualityScore: 90 });
    expect(await reserved()).toBe(0);
  });
});

describe('a re-analysis of a reviewed call', () => {
  it('needs to be told that it may replace the review, whose score stays in force until then', async () => {
    const call = await publishCall(t, owner);
    await review(call.analysisId);
    const refused = await reanalyze(call.analysisId);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(refused.body.error.details).toEqual([
      { path: 'replaceReview', message: 'Send `true` to have the review replaced.' },
    ]);
    expect(refused.headers['retry-after']).toBeUndefined();
    const next = await begun(call, { replaceReview: true });
    const shown = { analysisId: call.analysisId, qualityScore: 90 };
    expect(await get(`/records/${call.recordId}`)).toMatchObject(shown);
    expect(await get('/records')).toMatchObject([{ qualityScore: 90 }]);
    expect(await get('/analyses')).toMatchObject([{ id: call.analysisId, qualityScore: 90, reviewed: true }]);
    expect(await publish(next)).toBe('published');
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: next.analysisId, qualityScore: 30 });
    expect(await get(`/analyses/${call.analysisId}/review`)).toMatchObject({ revision: 1, current: false });
  });

  it('replaces the review that was there, and no revision that a process of an older release took since', async () => {
    const call = await publishCall(t, owner);
    await review(call.analysisId);
    const next = await begun(call, { replaceReview: true });
    await inOrg(owner.orgId, (tx) =>
      tx.execute(`update reviews set revision = 2 where analysis_id = '${call.analysisId}'`),
    );
    expect(await publish(next)).toBe('refused');
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: call.analysisId, qualityScore: 90 });
  });

  it('asks for nothing where only an earlier version was reviewed', async () => {
    const call = await publishCall(t, owner);
    await review(call.analysisId);
    const next = await begun(call, { replaceReview: true });
    await publish(next);
    expect((await reanalyze(call.analysisId)).status).toBe(202);
  });

  it('by swapped speakers is one as well', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed', durationSeconds: 60 }]);
    const id = await seedAnalysis(t, owner, { recordId });
    await review(id);
    const refused = await post(`/records/${recordId}/swap-speakers`);
    expect(refused).toMatchObject({ status: 409, body: { error: { details: [{ path: 'replaceReview' }] } } });
    // Its only voice cannot be swapped, which is looked at next.
    expect((await post(`/records/${recordId}/swap-speakers`, { replaceReview: true })).status).toBe(422);
  });
});

describe('what is said of a superseded analysis', () => {
  async function superseded(): Promise<{ old: string; current: string }> {
    const call = await publishCall(t, owner);
    await review(call.analysisId);
    const next = await begun(call, { replaceReview: true });
    await publish(next);
    return { old: call.analysisId, current: next.analysisId };
  }

  it('is no review and no dispute that counts: both are refused, with what to review instead', async () => {
    const { old, current } = await superseded();
    const details = [{ path: 'id', message: `The current analysis of the call is ${current}.` }];
    const disputed = await post(`/analyses/${old}/review/dispute`, { comment: 'No.' });
    for (const answer of [await review(old), disputed]) {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details } } });
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    expect(await get(`/analyses/${old}/review`)).toMatchObject({ revision: 1, status: 'submitted' });
  });

  it('may end a dispute, which waits for an answer all the same', async () => {
    const call = await publishCall(t, owner);
    await review(call.analysisId);
    await post(`/analyses/${call.analysisId}/review/dispute`, { comment: 'I did greet.' });
    const next = await begun(call, { replaceReview: true });
    expect((await post(`/analyses/${call.analysisId}/review/dispute`, { comment: 'No.' })).status).toBe(409);
    await publish(next);
    const resolution = { outcome: 'accepted', comment: 'It was analysed again.' };
    const resolved = await post(`/analyses/${call.analysisId}/review/resolve`, resolution);
    expect(resolved).toMatchObject({ status: 200, body: { data: { status: 'resolved', current: false } } });
    expect(await get(`/records/${call.recordId}`)).toMatchObject({ analysisId: next.analysisId, qualityScore: 30 });
  });

  it('is told to be about one: annotations and reviews say whether theirs is the current one', async () => {
    const { old, current } = await superseded();
    const note = (id: string) => post(`/analyses/${id}/annotations`, { text: 'A note.' });
    const [before, now] = [await note(old), await note(current)];
    expect([before, now].map(({ status, body }) => [status, body.data.current])).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(await get(`/analyses/${old}/annotations`)).toMatchObject([{ current: false }]);
    expect((await review(current)).body.data).toMatchObject({ current: true });
  });
});

describe('what a portal is told of a call', () => {
  it('that was reviewed before it was told is the reviewed score with the reviewed categories', async () => {
    const call = await publishCall(t, owner);
    await inOrg(owner.orgId, async (tx) => {
      const portal = { orgId: owner.orgId, memberId: newId('org') };
      await tx.insert(portals).values({ ...portal, id: newId('org'), domain: `${portal.memberId}.example` });
      await tx.insert(crmCalls).values({
        ...portal,
        callId: 'call-1',
        portalId: portal.memberId,
        status: 'taken',
        announcedBy: 'event',
        recordId: call.recordId,
      });
      await tx
        .update(records)
        .set({ crm: { entityType: 'deal', entityId: '17' } })
        .where(eq(records.id, call.recordId));
    });
    await review(call.analysisId);
    const plan = await inOrg(owner.orgId, (tx) => planReport(tx, { ...call, publicUrl: undefined }));
    expect(plan?.comment?.text.split('\n')).toEqual([
      'Call quality: 90 of 100',
      'Compliance: passed',
      'greeting 90',
      call.analysisId,
    ]);
  });
});
