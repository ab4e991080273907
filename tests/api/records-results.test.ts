import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

let t: TestApp;
let baseUrl: string;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  baseUrl = await t.listen();
  owner = await t.createOrg();
});
afterAll(() => t.close());

function resultsOf(ids: string[], member = owner) {
  const links = [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: member.headers })];
  return createTRPCClient<AppRouter>({ links }).records.results.query({ ids });
}

describe('the results of records', () => {
  it('come in the order of the ids, with what a table shows of a call', async () => {
    const startedAt = new Date('2026-03-01T10:00:00Z');
    const call = { agentName: 'Ann', customerPhone: '+447700900123', direction: 'inbound' as const, fileName: 'a.wav' };
    const [done = '', waiting = ''] = await seedRecords(t, owner, [
      { status: 'completed', durationSeconds: 60, startedAt, ...call },
      { status: 'processing', stage: 'transcribing' },
    ]);
    const analysisId = await seedAnalysis(t, owner, { recordId: done });
    const results = await resultsOf([waiting, done, newId('record'), 'nonsense', done]);
    expect(results).toMatchObject([
      { id: waiting, status: 'processing', stage: 'transcribing', analysis: null, fileName: null, startedAt: null },
      {
        id: done,
        ...call,
        customerPhone: '+4******0123',
        duration: 60,
        startedAt,
        analysis: { id: analysisId, qualityScore: 80, complianceStatus: 'passed', reviewed: false },
      },
    ]);
    await t.as(owner, {
      method: 'POST',
      url: `/api/v1/analyses/${analysisId}/review`,
      payload: { verdict: 'rejected', comment: 'A test call.' },
    });
    const [reviewed] = await resultsOf([done]);
    expect(reviewed?.analysis).toMatchObject({ reviewed: true, complianceStatus: 'needs_review' });
    const approved = await seedRecords(t, owner, [{ status: 'completed' }]);
    const other = await seedAnalysis(t, owner, { recordId: approved[0] ?? '' });
    const payload = { verdict: 'approved' };
    await t.as(owner, { method: 'POST', url: `/api/v1/analyses/${other}/review`, payload });
    expect((await resultsOf(approved))[0]?.analysis).toMatchObject({ reviewed: true, qualityScore: 80 });
  });

  it('are those of records that one may see', async () => {
    const agent = await t.addMember(owner, 'agent');
    const confined = await t.addMember(owner, 'supervisor', []);
    const ids = await seedRecords(t, owner, [{}, { agentUserId: agent.userId }]);
    expect((await resultsOf(ids, agent)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await resultsOf(ids, confined)).toEqual([]);
    expect(await resultsOf(ids, await t.createOrg())).toEqual([]);
  });

  it('are asked for at most a hundred at once', async () => {
    const ids = Array.from({ length: 101 }, () => newId('record'));
    expect(await resultsOf(ids.slice(1))).toEqual([]);
    for (const wrong of [ids, []]) {
      await expect(resultsOf(wrong)).rejects.toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    }
  });
});
