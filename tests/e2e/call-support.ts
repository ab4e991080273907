import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transcripts } from '../../src/db/schema/index.ts';
import type { Segment } from '../../src/model/transcript.ts';
import { newId } from '../../src/lib/ids.ts';
import { formBytes, formType } from '../api/upload-support.ts';
import type { TestApp, TestMember } from '../support/app.ts';
import { writeTones } from '../support/models/tones.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

type Line = [role: 'agent' | 'customer', startMs: number, endMs: number, text: string];

/** Forty seconds with a long silence and an interruption. */
const lines: Line[] = [
  ['agent', 200, 3_400, 'Thank you for calling Bluebird, how can I help you today?'],
  ['customer', 3_600, 7_000, 'My parcel with the turquoise umbrella never arrived.'],
  ['agent', 8_000, 11_000, 'I am sorry to hear that. Could you tell me the order number, please?'],
  ['customer', 12_000, 15_000, 'It is four two seven.'],
  ['agent', 23_000, 28_000, 'Your parcel has been sent again and will arrive on Friday.'],
  ['customer', 26_800, 29_500, 'But I really needed it this week already!'],
  ['agent', 30_000, 33_000, 'Is there anything else I can do for you?'],
  ['customer', 34_000, 36_000, 'No, thank you, that is all.'],
  ['agent', 36_500, 39_000, 'Thank you for calling, goodbye.'],
];

/** A call with a recording and a transcript with times of words, processed to the end. Gives its id. */
export async function uploadCall(t: TestApp, member: TestMember): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-call-'));
  const file = path.join(folder, 'call.wav');
  const tones = lines.map(([role, startMs, endMs]) => ({ hz: role === 'agent' ? 320 : 520, startMs, endMs }));
  await writeTones(file, 40_000, tones);
  const segments = lines.map(([role, startMs, endMs, text]) => ({
    speaker: role,
    role,
    startMs,
    endMs,
    text,
    words: spread(text, startMs, endMs),
  }));
  const { status, body } = await t.as(member, {
    method: 'POST',
    url: '/api/v1/records/upload',
    headers: { 'content-type': formType },
    payload: formBytes([
      { name: 'projectId', content: member.projectId },
      { name: 'metadata', content: JSON.stringify({ agentName: 'Ann Archer', customerPhone: '+447700900123' }) },
      {
        name: 'transcript',
        fileName: 'call.json',
        type: 'application/json',
        content: JSON.stringify({ language: 'en', segments }),
      },
      { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: await readFile(file) },
    ]),
  });
  await rm(folder, { recursive: true });
  if (status !== 201) throw new Error(`The upload answered ${status}: ${JSON.stringify(body)}`);
  await completed(t, member, body.data.id);
  return body.data.id;
}

async function completed(t: TestApp, member: TestMember, id: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const { body } = await t.as(member, { url: `/api/v1/records/${id}` });
    if (body.data.status === 'completed') return;
    if (body.data.status === 'failed') throw new Error(JSON.stringify(body.data.failure));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The call was not processed.');
}

function spread(text: string, startMs: number, endMs: number): Segment['words'] {
  const words = text.split(' ');
  const eachMs = (endMs - startMs) / words.length;
  return words.map((word, index) => ({
    text: word,
    startMs: Math.round(startMs + index * eachMs),
    endMs: Math.round(startMs + (index + 1) * eachMs),
    confidence: 0.9,
  }));
}

const hourWords = 'the agent explains how the new contract works and what it costs every month from now on'.split(' ');

/** A completed call of an hour with more than ten thousand words. Gives its id. */
export async function seedHour(t: TestApp, member: TestMember): Promise<string> {
  const [id = ''] = await seedRecords(t, member, [
    { status: 'completed', agentName: 'Long Talker', durationSeconds: 3_600, completedAt: new Date() },
  ]);
  const segments: Segment[] = Array.from({ length: 600 }, (_, index) => {
    const startMs = index * 6_000;
    const endMs = startMs + 5_800;
    const text = `Utterance ${index + 1}: ${hourWords.join(' ')}.`;
    const role = index % 2 === 0 ? 'agent' : 'customer';
    const speaker = `spk_${index % 2}`;
    const words = spread(text, startMs, endMs);
    return { id: newId('segment'), index, speaker, role, channel: 0, startMs, endMs, text, confidence: 0.9, words };
  });
  await t.deps.services.db.withOrg(member.orgId, (tx) =>
    tx.insert(transcripts).values({
      orgId: member.orgId,
      recordId: id,
      version: 1,
      source: 'supplied',
      channels: 1,
      durationMs: 3_600_000,
      speakers: [
        { id: 'spk_0', role: 'agent', name: null },
        { id: 'spk_1', role: 'customer', name: null },
      ],
      segments,
    }),
  );
  await seedAnalysis(t, member, { recordId: id });
  return id;
}
