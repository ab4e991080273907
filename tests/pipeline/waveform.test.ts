import { Readable } from 'node:stream';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { send } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { callVtt, suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { toneWav } from './support/recording-server.ts';

let t: TestApp;
let owner: TestMember;
let deepgram: DeepgramServer;
let baseUrl: string;

beforeAll(async () => {
  deepgram = await startDeepgram([
    { speaker: 0, start: 0.2, end: 1.4, text: 'thank you for calling how can i help you' },
    { speaker: 1, start: 1.6, end: 2.6, text: 'i was charged twice for my bill' },
  ]);
  const env = { SPEECH_ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'key', DEEPGRAM_BASE_URL: deepgram.baseUrl };
  t = await createTestApp({ env });
  baseUrl = await t.listen();
  owner = await t.createOrg();
});
afterAll(async () => {
  await t.close();
  await deepgram.close();
});

function waveformOf(id: string, member = owner) {
  const links = [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: member.headers })];
  return createTRPCClient<AppRouter>({ links }).records.waveform.query({ id });
}

async function uploaded(transcript: string | null): Promise<string> {
  const parts = [
    { name: 'projectId', content: owner.projectId },
    ...(transcript === null ? [] : [{ name: 'transcript', content: transcript }]),
    { name: 'file', fileName: 'call.wav', content: toneWav(3000) },
  ];
  const { body } = await send(baseUrl, { member: owner, parts });
  return completed(body.data.id);
}

async function completed(id: string): Promise<string> {
  await eventually(async () => {
    const { body } = await t.as(owner, { url: `/api/v1/records/${id}` });
    return body.data.status === 'completed' || undefined;
  });
  return id;
}

const asOwner = <T>(work: Parameters<typeof asAdmin<T>>[1]): Promise<T> =>
  asAdmin(t.deps.config.DATABASE_URL ?? '', work);

async function ordersFor(id: string): Promise<number> {
  const [row] = await asOwner(
    (sql) => sql<{ n: number }[]>`
      select count(*)::int as n from outbox where type = 'recording.waveform.requested' and data->>'recordId' = ${id}`,
  );
  return row?.n ?? 0;
}

async function rowsOf(id: string) {
  return asOwner((sql) => sql`select points, levels from waveforms where record_id = ${id}`);
}

describe('the waveform of a call', () => {
  it('is there as soon as the call has been transcribed, without decoding it again', async () => {
    const id = await uploaded(null);
    const drawn = await waveformOf(id);
    expect(drawn).toMatchObject({ durationMs: 3000, points: 60 });
    expect(drawn?.channels).toHaveLength(1);
    const levels = Buffer.from(drawn?.channels[0] ?? '', 'base64');
    expect(levels).toHaveLength(60);
    expect(Math.max(...levels)).toBe(255);
    // Two people on one track.
    expect(drawn?.roles).toEqual([null]);
    expect(await ordersFor(id)).toBe(0);
  });

  it('follows the first look where the transcript came along, and is ordered once', async () => {
    const id = await uploaded(callVtt);
    expect(await rowsOf(id)).toHaveLength(0);
    expect(await Promise.all([waveformOf(id), waveformOf(id), waveformOf(id)])).toEqual([null, null, null]);
    const drawn = await eventually(async () => (await waveformOf(id)) ?? undefined);
    expect(drawn).toMatchObject({ durationMs: 3000, points: 60, roles: [null] });
    expect(await ordersFor(id)).toBe(1);
    expect(await waveformOf(id)).toEqual(drawn);
  });

  it('says who speaks on a channel of their own', async () => {
    const segments = ['agent', 'customer'].map((role, channel) => ({
      index: channel,
      speaker: role,
      role,
      channel,
      startMs: channel * 1000,
      endMs: channel * 1000 + 900,
      text: role === 'agent' ? 'How can I help you?' : 'I was charged twice.',
    }));
    const id = await uploaded(JSON.stringify({ language: 'en', channels: 2, segments }));
    await waveformOf(id);
    // The recording is of one channel, which by the transcript is the agent's.
    const drawn = await eventually(async () => (await waveformOf(id)) ?? undefined);
    expect(drawn?.roles).toEqual(['agent']);
  });

  it('stays away where the recording cannot be decoded, and nobody tries again', async () => {
    const id = newRecordId();
    const storageKey = `${owner.orgId}/${id}`;
    const { db, storage } = t.deps.services;
    await storage.put(storageKey, Readable.from([Buffer.alloc(20_000, 'noise')]));
    const record = { id, projectId: owner.projectId, source: 'upload' as const, storageKey };
    await db.withOrg(owner.orgId, (tx) =>
      createRecord(tx, { ...record, fileContentType: 'audio/flac' }, suppliedTranscript(id)),
    );
    await completed(id);
    expect(await waveformOf(id)).toBeNull();
    await eventually(async () => (await rowsOf(id)).length === 1 || undefined);
    expect(await rowsOf(id)).toEqual([{ points: 0, levels: null }]);
    await asOwner((sql) => sql`delete from outbox where type = 'recording.waveform.requested'`);
    expect(await waveformOf(id)).toBeNull();
    expect(await ordersFor(id)).toBe(0);
  });

  it('is null for a call without a recording, and asks for nothing', async () => {
    const ingested = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/records/ingest',
      payload: { externalId: 'x', projectId: owner.projectId, recordingUrl: 'https://pbx.example/1.mp3' },
    });
    const { id } = ingested.body.data;
    expect(await waveformOf(id)).toBeNull();
    expect(await ordersFor(id)).toBe(0);
  });

  it('is for those who may see the record', async () => {
    const id = await uploaded(null);
    const [agent, stranger] = [await t.addMember(owner, 'agent'), await t.createOrg()];
    for (const member of [agent, stranger]) {
      await expect(waveformOf(id, member)).rejects.toMatchObject({ data: { code: 'NOT_FOUND' } });
    }
    expect(await ordersFor(id)).toBe(0);
    expect(await waveformOf(id, await t.addMember(owner, 'reviewer'))).not.toBeNull();
  });

  it('goes with its record', async () => {
    const id = await uploaded(null);
    expect(await rowsOf(id)).toHaveLength(1);
    await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` });
    expect(await rowsOf(id)).toHaveLength(0);
  });
});
