import { expect } from 'vitest';
import {
  type CatalogueDifference,
  compareCatalogues,
  readCatalogue,
  readExpectedCatalogue,
} from '../../src/db/migrations/catalogue.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { formBytes, formType } from '../api/upload-support.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { createTestApp, type TestMember } from './app.ts';
import { oldCallDay, oldIds } from './old-database.ts';

/**
 * Starts the service on a database that `createOldDatabase` made, and looks whether everything is there and works. Gives what the
 * schema has too little or too much.
 */
export async function openOldService(databaseUrl: string): Promise<CatalogueDifference> {
  const t = await createTestApp({ env: { DATABASE_URL: databaseUrl }, runPipeline: false });
  try {
    const [expected, actual] = await Promise.all([readExpectedCatalogue(), readCatalogue(t.deps.connections.system)]);
    const { org: orgId, user: userId, project: projectId, analysis, records } = oldIds;
    const { token } = await t.deps.services.db.withOrg(orgId, (tx) =>
      issueToken(tx, userId, { name: 'after the upgrade', expiresAt: null }),
    );
    const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
    const member: TestMember = { orgId, userId, projectId, token, headers };
    const get = async (path: string) => t.as(member, { url: `/api/v1/${path}` });

    const list = await get('records?sort=createdAt');
    expect(list).toMatchObject({ status: 200, body: { meta: { total: 3 } } });
    const record = await get(`records/${records.completed}`);
    expect(record).toMatchObject({
      status: 200,
      body: { data: { qualityScore: 80, analysisId: analysis } },
    });
    const transcript = await get(`records/${records.completed}/transcript`);
    expect(transcript).toMatchObject({ status: 200, body: { data: { text: 'Hello from long ago.' } } });
    expect(await get(`analyses/${analysis}`)).toMatchObject({
      status: 200,
      body: { data: { categories: { greeting: 80 } } },
    });
    expect(await get('search?q=ago')).toMatchObject({ status: 200, body: { meta: { total: 1 } } });
    const stats = await get(`projects/${projectId}/stats?from=${oldCallDay}&to=${oldCallDay}`);
    expect(stats).toMatchObject({ status: 200, body: { data: { totalRecords: 3, averageQualityScore: 80 } } });
    const input = encodeURIComponent(JSON.stringify({ json: { from: oldCallDay, to: oldCallDay } }));
    const overview = await t.as(member, { url: `/api/trpc/overview.get?input=${input}` });
    expect(overview).toMatchObject({
      status: 200,
      body: { result: { data: { json: { totals: { calls: 3, completed: 1, failed: 1, averageScore: 80 } } } } },
    });

    const form = formBytes([
      { name: 'projectId', content: projectId },
      { name: 'file', fileName: 'new.wav', content: silentWav(1) },
    ]);
    const upload = {
      method: 'POST' as const,
      url: '/api/v1/records/upload',
      headers: { 'content-type': formType },
      payload: form,
    };
    expect(await t.as(member, upload)).toMatchObject({ status: 201 });
    const note = { method: 'POST' as const, url: `/api/v1/analyses/${analysis}/annotations`, payload: { text: 'Old' } };
    expect(await t.as(member, note)).toMatchObject({ status: 201 });
    const review = {
      method: 'POST' as const,
      url: `/api/v1/analyses/${analysis}/review`,
      payload: { verdict: 'approved' },
    };
    expect(await t.as(member, review)).toMatchObject({ status: 201 });
    const remove = { method: 'DELETE' as const, url: `/api/v1/records/${records.failed}` };
    expect(await t.as(member, remove)).toMatchObject({ status: 204 });
    return compareCatalogues(expected.lines, actual);
  } finally {
    await t.close();
  }
}
