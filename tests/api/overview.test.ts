import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { and, eq } from 'drizzle-orm';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyses, records } from '../../src/db/schema/index.ts';
import type { Overview, OverviewInput } from '../../src/domain/overview/schemas.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { asAdmin, eventually } from '../pipeline/support/hosts.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { send } from './upload-support.ts';

let t: TestApp;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ env: { DATABASE_POOL_SIZE: '16' } });
  baseUrl = await t.listen();
});
afterAll(() => t.close());

type Asked = Partial<OverviewInput> & { from: string; to: string };

function overviewOf(member: TestMember, input: Asked): Promise<Overview> {
  const links = [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: member.headers })];
  return createTRPCClient<AppRouter>({ links }).overview.get.query(input);
}

/** What differs between the counters and a count of everything there is. */
async function miscounted() {
  return asAdmin(
    t.deps.config.DATABASE_URL ?? '',
    (sql) => sql`
      with all_counts as (
        select c.* from records r cross join lateral record_counts(r, 1) c
        union all select c.* from analyses a cross join lateral analysis_counts(a, 1) c
      ), both_grains as (
        select a.org_id, g.grain, a.kind, g.at, a.project_id, a.key, a.ref, sum(calls) as calls, sum(completed) as completed,
               sum(failed) as failed, sum(score_sum) as score_sum, sum(score_count) as score_count, sum(duration_sum) as duration_sum,
               sum(duration_count) as duration_count, sum(passed) as passed, sum(violated) as violated, sum(reviewed) as reviewed,
               sum(share_sum) as share_sum, sum(share_count) as share_count, sum(awaiting) as awaiting
          from all_counts a cross join lateral (values (0::smallint, a.at), (1::smallint, date_trunc('day', a.at, 'UTC'))) g(grain, at)
         group by 1, 2, 3, 4, 5, 6, 7
      )
      (select *, 'missing' as fault from both_grains except select *, 'missing' from overview_counts)
      union all
      (select *, 'extra' from overview_counts where (calls, score_count, failed) <> (0, 0, 0) except select *, 'extra' from both_grains)`,
  );
}

type Seeded = {
  id: string;
  at: Date;
  projectId: string;
  agentName: string | null;
  status: 'completed' | 'failed' | 'pending';
  duration: number | null;
  score: number | null;
  share: number | null;
  compliance: 'passed' | 'failed' | 'needs_review';
  reviewed: boolean;
  categories: Record<string, number | null>;
  failing: string[];
  ownerId: string | null;
};

const checkKeys = ['greeting.name', 'greeting.company', 'closing.recap'];

/** Calls of two weeks in two projects, with everything that is counted at random. */
async function seedCalls(owner: TestMember, agent: TestMember, otherProject: string): Promise<Seeded[]> {
  const random = seededRandom(7);
  const rows = Array.from({ length: 120 }, (_, index) => {
    const status = pick<'completed' | 'failed' | 'pending'>(random, [
      'completed',
      'completed',
      'completed',
      'failed',
      'pending',
    ]);
    const hasScore = status === 'completed' && random() > 0.1;
    const reviewed = status === 'completed' && random() < 0.3;
    return {
      at: new Date(Date.parse('2026-03-20T00:00:00Z') + Math.floor(random() * 14 * 86_400_000)),
      projectId: index % 3 === 0 ? otherProject : owner.projectId,
      agentName: pick<string | null>(random, ['Ann', 'Ben', 'Cleo', null]),
      status,
      duration: status === 'completed' ? Math.floor(random() * 600) : null,
      score: hasScore ? Math.floor(random() * 101) : null,
      share: status === 'completed' && random() > 0.1 ? Math.floor(random() * 1001) / 1000 : null,
      compliance: pick<'passed' | 'failed' | 'needs_review'>(random, ['passed', 'failed', 'needs_review']),
      reviewed,
      categories: { greeting: Math.floor(random() * 101), closing: random() < 0.2 ? null : Math.floor(random() * 101) },
      failing: checkKeys.filter(() => random() < 0.4),
      ownerId: index % 5 === 0 ? agent.userId : null,
    };
  });
  const ids = await seedRecords(
    t,
    owner,
    rows.map(({ at, projectId, agentName, status, duration, ownerId }) => ({
      createdAt: at,
      projectId,
      agentName,
      status,
      durationSeconds: duration,
      agentUserId: ownerId,
      fileName: 'call.wav',
    })),
  );
  const seeded = rows.map((row, index) => ({ ...row, id: ids[index] ?? '' }));
  for (const call of seeded.filter(({ status }) => status === 'completed')) await seedResult(owner, call);
  return seeded;
}

async function seedResult(owner: TestMember, call: Seeded): Promise<void> {
  const { id, projectId, score, share, compliance, reviewed, categories, failing } = call;
  const checks = checkKeys.map((key) => ({
    key,
    category: 'greeting',
    title: key,
    weight: 1,
    critical: false,
    answer: answerOf(key, failing),
    score: null,
    rationale: '',
    evidence: [],
  }));
  const automatic = reviewed
    ? { qualityScore: 1, complianceStatus: 'not_applicable' as const, categories: { greeting: 1 } }
    : { qualityScore: score, complianceStatus: compliance, categories };
  const final = { finalQualityScore: score, finalComplianceStatus: compliance, finalCategories: categories };
  await seedAnalysis(t, owner, {
    recordId: id,
    projectId,
    checks,
    ...automatic,
    ...(reviewed && { reviewed, ...final }),
  });
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx
      .update(records)
      .set({ qualityScore: score, judgedShare: share, complianceStatus: compliance, reviewed })
      .where(and(eq(records.orgId, owner.orgId), eq(records.id, id))),
  );
}

function answerOf(key: string, failing: string[]): 'pass' | 'fail' | 'not_applicable' {
  if (failing.includes(key)) return 'fail';
  return key === 'closing.recap' ? 'not_applicable' : 'pass';
}

const mean = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0
    ? Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 100) / 100
    : null;
};
const times = <T>(values: T[], test: (value: T) => boolean): number => values.filter(test).length;

function totalsOf(calls: Seeded[]) {
  const completed = calls.filter(({ status }) => status === 'completed');
  const passed = times(completed, ({ compliance }) => compliance === 'passed');
  const judged = passed + times(completed, ({ compliance }) => compliance === 'failed');
  const duration = completed.reduce((sum, call) => sum + (call.duration ?? 0), 0) / completed.length;
  return {
    calls: calls.length,
    completed: completed.length,
    failed: times(calls, ({ status }) => status === 'failed'),
    averageScore: mean(completed.map(({ score }) => score)),
    complianceRate: judged === 0 ? null : Math.round((passed / judged) * 10_000) / 10_000,
    averageDurationMs: completed.length === 0 ? null : Math.round(duration * 1000),
    reviewed: times(completed, ({ reviewed }) => reviewed),
    ...judgedOf(completed),
  };
}

function judgedOf(completed: Seeded[]) {
  const shares = completed.flatMap(({ share }) => share ?? []);
  const sum = shares.reduce((total, share) => total + Math.round(share * 1000), 0);
  return {
    averageJudgedShare: shares.length === 0 ? null : Math.round(sum / shares.length) / 1000,
    awaitingReview: times(completed, ({ score, share, reviewed }) => score === null && share !== null && !reviewed),
  };
}

describe('the overview', () => {
  let owner: TestMember;
  let supervisor: TestMember;
  let agent: TestMember;
  let calls: Seeded[];
  let otherProject: string;

  beforeAll(async () => {
    owner = await t.createOrg();
    const payload = { name: 'Other' };
    otherProject = (await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload })).body.data.id;
    supervisor = await t.addMember(owner, 'supervisor', [otherProject]);
    agent = await t.addMember(owner, 'agent');
    calls = await seedCalls(owner, agent, otherProject);
  });

  const everyone = (): [string, TestMember, (call: Seeded) => boolean, string | undefined][] => [
    ['owner', owner, () => true, undefined],
    ['owner of one project', owner, ({ projectId }) => projectId === owner.projectId, owner.projectId],
    ['supervisor', supervisor, ({ projectId }) => projectId === otherProject, undefined],
    ['supervisor elsewhere', supervisor, () => false, owner.projectId],
    ['agent', agent, ({ ownerId }) => ownerId === agent.userId, undefined],
  ];

  it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])(
    'counts what each role may see, in the days of %s',
    async (timeZone) => {
      const dates = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'];
      const dateIn = (at: Date): string => at.toLocaleDateString('sv-SE', { timeZone });
      for (const [who, member, isVisible, projectId] of everyone()) {
        const input = { from: '2026-03-27', to: '2026-03-31', timeZone, ...(projectId && { projectId }) };
        const overview = await overviewOf(member, input);
        const visible = calls.filter(isVisible);
        const present = visible.filter(({ at }) => dates.includes(dateIn(at)));
        // As long as the period, which a change of clocks makes an hour shorter.
        const hours = timeZone === 'Europe/Berlin' ? 119 : 120;
        const start = Date.parse(`2026-03-27T00:00:00Z`) - offsets[timeZone as keyof typeof offsets] * 60_000;
        const previous = visible.filter(({ at }) => {
          return at.getTime() < start && at.getTime() >= start - hours * 3_600_000;
        });
        expect({ who, ...overview.totals }).toEqual({ who, ...totalsOf(present) });
        expect({ who, ...overview.previous }).toEqual({ who, ...totalsOf(previous) });
        const completed = (all: Seeded[]) => all.filter(({ status }) => status === 'completed');
        expect(overview.days).toEqual(
          dates.map((date) => {
            const ofDay = present.filter(({ at }) => dateIn(at) === date);
            return {
              date,
              calls: ofDay.length,
              averageScore: mean(completed(ofDay).map(({ score }) => score)),
              complianceFailed: times(completed(ofDay), ({ compliance }) => compliance === 'failed'),
            };
          }),
        );
        const category = (all: Seeded[], key: string) =>
          // Of a call without a score nothing is in an average, whatever of it was judged.
          mean(completed(all).map((call) => (call.score === null ? null : (call.categories[key] ?? null))));
        expect(overview.categories.map(({ title: _title, ...rest }) => rest)).toEqual(
          ['closing', 'greeting']
            .map((key) => ({
              key,
              averageScore: category(present, key),
              previousAverageScore: category(previous, key),
            }))
            .filter(({ averageScore }) => averageScore !== null),
        );
        const names = [...new Set(present.flatMap(({ agentName }) => agentName ?? []))];
        const ofAgent = (all: Seeded[], name: string) => all.filter(({ agentName }) => agentName === name);
        expect(overview.agents.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
          names.toSorted().map((name) => ({
            name,
            agentId: ofAgent(present, name).some(({ ownerId }) => ownerId !== null) ? agent.userId : null,
            calls: ofAgent(present, name).length,
            averageScore: mean(completed(ofAgent(present, name)).map(({ score }) => score)),
            previousAverageScore: mean(completed(ofAgent(previous, name)).map(({ score }) => score)),
            complianceFailed: times(completed(ofAgent(present, name)), ({ compliance }) => compliance === 'failed'),
            ...judgedOf(completed(ofAgent(present, name))),
          })),
        );
        const failedChecks = checkKeys
          .map((key) => ({
            key,
            failed: times(completed(present), ({ failing }) => failing.includes(key)),
            applicable: times(completed(present), ({ failing }) => key !== 'closing.recap' || failing.includes(key)),
          }))
          .filter(({ failed }) => failed > 0)
          .toSorted((a, b) => b.failed - a.failed || a.key.localeCompare(b.key));
        expect(overview.topFailedChecks.map(({ title: _title, ...rest }) => rest)).toEqual(failedChecks);
        const worst = completed(present)
          .filter(({ reviewed, score }) => !reviewed && score !== null)
          .toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0) || b.at.getTime() - a.at.getTime())
          .slice(0, 10);
        expect(overview.worst.map(({ recordId }) => recordId)).toEqual(worst.map(({ id }) => id));
      }
    },
  );

  it('names the worst calls with what a list shows of them', async () => {
    const { worst } = await overviewOf(owner, { from: '2026-03-20', to: '2026-04-03' });
    expect(worst).toHaveLength(10);
    const [first] = worst;
    expect(first).toMatchObject({ fileName: 'call.wav', summary: 'The agent greeted the customer.' });
    expect(first?.createdAt).toBeInstanceOf(Date);
    const [analysis] = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx
        .select()
        .from(analyses)
        .where(eq(analyses.recordId, first?.recordId ?? '')),
    );
    expect(first?.analysisId).toBe(analysis?.id);
  });

  it('takes titles from the profiles', async () => {
    const { categories, topFailedChecks } = await overviewOf(owner, { from: '2026-03-20', to: '2026-04-03' });
    expect(categories.find(({ key }) => key === 'greeting')?.title).toBe('Greeting');
    // No profile has it any more.
    expect(topFailedChecks.find(({ key }) => key === 'closing.recap')?.title).toBe('closing.recap');
  });

  it('shows nothing of another organization', async () => {
    const stranger = await t.createOrg();
    const overview = await overviewOf(stranger, { from: '2026-03-20', to: '2026-04-03', projectId: owner.projectId });
    expect(overview.totals.calls).toBe(0);
    expect([overview.agents, overview.worst, overview.categories, overview.topFailedChecks]).toEqual([[], [], [], []]);
    expect(overview.days).toHaveLength(15);
  });

  it.each<[string, Asked, string]>([
    ['a year of no calendar', { from: '0001-01-01', to: '2026-01-02' }, 'from'],
    ['a year of the far future', { from: '2026-12-30', to: '9999-12-31' }, 'to'],
    ['a time zone that is none', { from: '2026-01-01', to: '2026-01-02', timeZone: 'Mars/Base' }, 'timeZone'],
    ['an end before the beginning', { from: '2026-01-03', to: '2026-01-01' }, 'from'],
    ['more than a year', { from: '2024-01-01', to: '2026-01-01' }, 'to'],
    ['a day that is none', { from: '2026-02-31', to: '2026-03-01' }, 'from'],
  ])('refuses %s', async (_what, input, field) => {
    const error = await overviewOf(owner, input).then(
      () => null,
      ({ data }) => data,
    );
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: field }] });
  });
});

/** Minutes ahead of UTC at the beginning of the period. */
const offsets = { UTC: 0, 'Europe/Berlin': 60, 'America/New_York': -240, 'Asia/Kolkata': 330 };

describe('the counters of the overview', () => {
  let owner: TestMember;
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const read = async (path: string) => (await t.as(owner, { url: `/api/v1${path}` })).body.data;
  const post = (path: string, payload: object = {}) => t.as(owner, { method: 'POST', url: `/api/v1${path}`, payload });
  const overview = () => overviewOf(owner, { from: day(-200), to: day(1), timeZone: 'UTC' });

  async function uploaded(): Promise<{ id: string; analysisId: string }> {
    const parts = [
      { name: 'projectId', content: owner.projectId },
      { name: 'metadata', content: JSON.stringify({ agentName: 'Sarah' }) },
      { name: 'transcript', content: callVtt },
      { name: 'file', fileName: 'call.wav', content: silentWav(2000) },
    ];
    const { id } = (await send(baseUrl, { member: owner, parts })).body.data;
    return eventually(async () => {
      const record = await read(`/records/${id}`);
      return record.status === 'completed' ? record : undefined;
    });
  }

  it('follow a call through processing, review, re-analysis and deletion', async () => {
    owner = await t.createOrg();
    const first = await uploaded();
    const second = await uploaded();
    const before = await overview();
    expect(before.totals).toMatchObject({ calls: 2, completed: 2, reviewed: 0 });
    expect(before.agents).toMatchObject([{ name: 'Sarah', calls: 2 }]);
    expect(before.worst).toHaveLength(2);
    expect(before.categories.length).toBeGreaterThan(2);
    expect(await miscounted()).toEqual([]);

    await post(`/analyses/${first.analysisId}/review`, { verdict: 'approved' });
    expect(await overview()).toMatchObject({ totals: { reviewed: 1 }, worst: [{ recordId: second.id }] });
    await post(`/analyses/${first.analysisId}/review`, {
      verdict: 'adjusted',
      categories: { greeting: 0, closing: 0 },
      complianceStatus: 'failed',
      comment: 'Neither.',
    });
    const reviewed = await overview();
    expect(reviewed.totals).toMatchObject({ reviewed: 1, complianceRate: 0.5 });
    expect(reviewed.totals.averageScore).toBeLessThan(before.totals.averageScore ?? 0);
    expect(reviewed.agents).toMatchObject([{ complianceFailed: 1 }]);
    expect(await miscounted()).toEqual([]);

    const { profileId } = await read(`/projects/${owner.projectId}`);
    const asked = await post(`/analyses/${first.analysisId}/re-analyze`, { profileId, replaceReview: true });
    await eventually(async () => (await read(`/analyses/${asked.body.data.id}`)).current || undefined);
    expect((await overview()).totals).toMatchObject({ reviewed: 0, averageScore: before.totals.averageScore });
    expect(await miscounted()).toEqual([]);

    await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${first.id}` });
    expect(await overview()).toMatchObject({ totals: { calls: 1 }, agents: [{ calls: 1 }], worst: [{}] });
    expect(await miscounted()).toEqual([]);

    await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${owner.projectId}?force=true` });
    expect(await overview()).toMatchObject({ totals: { calls: 0 }, agents: [], categories: [], topFailedChecks: [] });
    expect(await miscounted()).toEqual([]);
  });

  it('are right when many calls of one project end and go at once', async () => {
    owner = await t.createOrg();
    const calls = await Promise.all(Array.from({ length: 12 }, () => uploaded()));
    const doomed = calls.slice(0, 6);
    await Promise.all([
      ...doomed.map(({ id }) => t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` })),
      ...calls.slice(6).map(({ analysisId }) => post(`/analyses/${analysisId}/review`, { verdict: 'approved' })),
      uploaded(),
    ]);
    expect((await overview()).totals).toMatchObject({ calls: 7, completed: 7, reviewed: 6 });
    expect(await miscounted()).toEqual([]);
  });
});
