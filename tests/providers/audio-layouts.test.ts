import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelMap } from '../../src/model/channel-map.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import { type DecodedAudio, decodeAudio } from '../../src/providers/audio/decode.ts';
import { createOpenai } from '../../src/providers/speech/openai.ts';
import { transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { laidOut, layouts, speakLayouts } from '../support/layouts.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

let folder = '';
let spoken = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'layouts-'));
  spoken = await speakLayouts(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function decode(name: string): Promise<DecodedAudio> {
  return decodeAudio(
    { path: laidOut(spoken, name), format: 'wav' },
    { workDir: await mkdtemp(path.join(folder, 'work-')) },
  );
}

describe('the layout of a recording', () => {
  it.each(layouts)('is told by who sounds where: $name', async ({ name, channels, layout, sounding }) => {
    const audio = await decode(name);
    expect(audio.channels).toBe(channels.length);
    expect(audio.voices.filter(({ isSilent }) => !isSilent).map(({ channel }) => channel)).toEqual(sounding);
    expect(audio.layout).toBe(layout);
  });
});

async function transcribe(name: string, channelMap: ChannelMap | null): Promise<Transcript> {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const segments = [
    { start: 0.3, end: 3, text: 'Thank you for calling, how may I help you today?' },
    { start: 3.6, end: 6, text: 'I would like to know the balance of my account.' },
  ];
  const text = segments.map((each) => each.text).join(' ');
  const { baseUrl } = await speechServer((_, res) => sendJson(res, { text, segments }));
  const engine = createOpenai({ baseUrl });
  const recording = { path: laidOut(spoken, name), format: 'wav' as const, workDir, engine };
  const call = { recordId: 'rec', language: 'en', channelMap, agentName: null };
  const signal = AbortSignal.timeout(30_000);
  return (await transcribeRecording({ assignRoles, ...recording, ...call, signal })).transcript;
}

describe('two people on one channel beside a silent one', () => {
  it.each(['both on one, the other silent', 'both on one, hum on the other', 'the first silent, both on the other'])(
    'are no customer and no agent by their channel: %s',
    async (name) => {
      const { segments } = await transcribe(name, null);
      expect(segments).toHaveLength(2);
      expect(new Set(segments.map(({ role }) => role)).size === 2 || segments[0]?.role === 'unknown').toBe(true);
    },
  );

  it.each<[ChannelMap, string]>([
    [{ '0': 'customer', '1': 'agent' }, 'customer'],
    [{ '0': 'agent', '1': 'customer' }, 'agent'],
  ])('are one person where a map says so: %j', async (channelMap, role) => {
    const { segments } = await transcribe('both on one, the other silent', channelMap);
    expect(new Set(segments.map((each) => each.role))).toEqual(new Set([role]));
  });
});
