import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcripts } from '../../src/db/schema/index.ts';
import type { Segment } from '../../src/model/transcript.ts';
import { newId } from '../../src/lib/ids.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

/** Calls of megabytes: their answers are the same as those of short ones, though nobody reads them on the way. */
let t: TestApp;
let owner: TestMember;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
});
afterAll(() => t.close());

function segmentsOf(count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    id: newId('segment'),
    index,
    speaker: 'spk_0',
    role: 'agent' as const,
    channel: 0,
    startMs: index * 1000,
    endMs: index * 1000 + 900,
    text: `"Segment" ${index} <says> so & — ünïcode 💥`,
    confidence: null,
    words: [],
  }));
}

async function addCall(segments: Segment[]): Promise<{ recordId: string; analysisId: string }> {
  const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
  const speakers = [{ id: 'spk_0', role: 'agent' as const, name: 'Ann' }];
  const row = {
    orgId: owner.orgId,
    recordId,
    version: 1,
    source: 'supplied' as const,
    channels: 1,
    speakers,
    segments,
  };
  await t.deps.services.db.withOrg(owner.orgId, (tx) => tx.insert(transcripts).values(row));
  return { recordId, analysisId: await seedAnalysis(t, owner, { recordId }) };
}

const options = { transformer: superjson };
const clientOf = (link: typeof httpLink | typeof httpBatchLink) =>
  createTRPCClient<AppRouter>({
    links: [link({ ...options, url: `${baseUrl}/api/trpc`, headers: owner.headers })],
  });

describe.each([
  ['short', 20],
  ['long', 5_000],
])('a %s call', (_length, count) => {
  const segments = segmentsOf(count);
  const text = segments.map((segment) => segment.text).join('\n');
  let recordId: string;
  let analysisId: string;

  beforeAll(async () => {
    ({ recordId, analysisId } = await addCall(segments));
  });

  it('is read whole over REST, with an ETag that holds', async () => {
    const url = `/api/v1/records/${recordId}/transcript`;
    const { status, headers, body } = await t.as(owner, { url });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body.data).toMatchObject({ recordId, channels: 1, redactions: null, text, segments });
    const again = await t.as(owner, { url, headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.status).toBe(304);
    const analysis = await t.as(owner, { url: `/api/v1/analyses/${analysisId}` });
    expect(analysis.body.data).toMatchObject({ id: analysisId, segments, summary: expect.any(String) });
  });

  it.each(['vtt', 'srt', 'txt'])('is written as %s', async (format) => {
    const { status, body } = await t.as(owner, { url: `/api/v1/records/${recordId}/transcript?format=${format}` });
    expect(status).toBe(200);
    expect(body.match(/Segment/g)).toHaveLength(count);
    expect(body).toContain(format === 'vtt' ? '<v.agent Ann>"Segment" 0 &lt;says&gt; so &amp; — ünïcode 💥' : 'Ann');
  });

  it.each([
    ['alone', httpLink],
    ['as a batch of one', httpBatchLink],
  ])('is read whole over RPC, asked for %s', async (_how, link) => {
    const client = clientOf(link);
    const transcript = await client.records.transcript.query({ id: recordId });
    expect(transcript).toMatchObject({ recordId, text, segments });
    const analysis = await client.analyses.get.query({ id: analysisId });
    expect(analysis.segments).toEqual(segments);
    expect(analysis.createdAt).toBeInstanceOf(Date);
  });
});

describe('a long call over RPC', () => {
  let ids: { recordId: string; analysisId: string };
  beforeAll(async () => {
    ids = await addCall(segmentsOf(5_000));
  });

  it('is no part of a batch, which says so', async () => {
    const client = clientOf(httpBatchLink);
    const batch = [client.projects.list.query({}), client.records.transcript.query({ id: ids.recordId })];
    const errors = await Promise.allSettled(batch);
    const [, refused] = errors;
    expect(refused).toMatchObject({ status: 'rejected', reason: { data: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  it('is refused with the errors of every other procedure', async () => {
    for (const link of [httpLink, httpBatchLink]) {
      const refused = clientOf(link).records.transcript.query({ id: 'rec_unknown' });
      await expect(refused).rejects.toBeInstanceOf(TRPCClientError);
      await expect(refused).rejects.toMatchObject({ data: { code: 'NOT_FOUND', path: 'records.transcript' } });
    }
    const strange = await t.as(owner, { url: '/api/trpc/records.transcript?input=nonsense' });
    expect(strange.status).toBe(400);
    const untyped = await t.as(owner, {
      url: '/api/trpc/records.transcript?input=%7B%22json%22%3A%7B%22id%22%3A1%7D%7D',
    });
    expect(untyped.body.error.json.data).toMatchObject({ code: 'VALIDATION_ERROR', httpStatus: 400 });
  });
});
