import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type CallFacts,
  IngestRecordInput,
  UpdateRecordInput,
  UploadMetadata,
} from '../../src/domain/intake/schemas.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';
import { send } from '../support/send.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

/** A value of every fact, as it comes back: without one for a new fact, this does not compile. */
const facts: Record<keyof CallFacts, unknown> = {
  agentName: 'Maria Lopez',
  customerPhone: '+441234567890',
  direction: 'inbound',
  startedAt: '2026-01-05T08:00:00.000Z',
  language: 'de',
  channelMap: { '0': 'customer', '1': 'agent' },
};
/** Kept for the pipeline; answers do not have it. */
const unseen = new Set(['channelMap']);

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const only = (names: string[]) => Object.fromEntries(Object.entries(facts).filter(([name]) => names.includes(name)));
const seen = (given: object) => Object.fromEntries(Object.entries(given).filter(([name]) => !unseen.has(name)));

async function read(id: string): Promise<Record<string, unknown>> {
  return (await send(t, owner, { url: `/api/v1/records/${id}` })).body.data;
}

/** What was stored of the facts that answers do not have. */
async function kept(id: string): Promise<unknown> {
  const [row] = await t.deps.connections.system`select channel_map from records where id = ${id}`;
  return row?.['channel_map'];
}

it('every fact of a call that is ingested comes back', async () => {
  const call = { externalId: 'call-1', projectId: owner.projectId, recordingUrl: 'https://a.example/1.wav' };
  const given = only(Object.keys(IngestRecordInput.shape));
  const payload = { ...call, ...given };
  const { body } = await send(t, owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
  expect(given).toEqual(facts);
  expect(await read(body.data.id)).toMatchObject(seen(given));
  expect(await kept(body.data.id)).toEqual(facts.channelMap);
});

it('every fact of a call that is uploaded comes back', async () => {
  const given = only(Object.keys(UploadMetadata.shape));
  const parts = [
    { name: 'projectId', content: owner.projectId },
    { name: 'metadata', content: JSON.stringify(given) },
    {
      name: 'file',
      fileName: 'call.wav',
      type: 'audio/wav',
      content: Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]),
    },
  ];
  const request = { method: 'POST' as const, url: '/api/v1/records/upload', headers: { 'content-type': formType } };
  const { body } = await send(t, owner, { ...request, payload: formBytes(parts) });
  expect(given).toEqual(facts);
  expect(await read(body.data.id)).toMatchObject(seen(given));
  expect(await kept(body.data.id)).toEqual(facts.channelMap);
});

it('every fact of a call that is corrected comes back', async () => {
  const [id = ''] = await seedRecords(t, owner, [{}]);
  const given = only(Object.keys(UpdateRecordInput.shape));
  const { body } = await send(t, owner, { method: 'PATCH', url: `/api/v1/records/${id}`, payload: given });
  // Channels are told before the call is processed.
  expect(given).toEqual(seen(facts));
  expect(body.data).toMatchObject(given);
  expect(await read(id)).toMatchObject(given);
});
