import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelMap } from '../../src/model/channel-map.ts';
import { createPocketsphinx } from '../../src/providers/speech/pocketsphinx.ts';
import { type TranscribedRecording, transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { laidOut, speakLayouts } from '../support/layouts.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

let folder = '';
let spoken = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'layouts-'));
  spoken = await speakLayouts(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function transcribe(name: string, channelMap: ChannelMap | null = null): Promise<TranscribedRecording> {
  const file = laidOut(spoken, name);
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const engine = createPocketsphinx();
  const call = { recordId: 'rec', path: file, format: 'wav' as const, workDir, engine, language: 'en', channelMap };
  return transcribeRecording({ assignRoles, ...call, agentName: null, signal: AbortSignal.timeout(120_000) });
}

/** The roles of what is said on each channel. */
function rolesByChannel({ transcript }: TranscribedRecording): Record<string, string> {
  const roles = Map.groupBy(transcript.segments, ({ channel }) => channel);
  return Object.fromEntries(
    [...roles].map(([channel, segments]) => [channel, [...new Set(segments.map(({ role }) => role))].sort().join(' ')]),
  );
}

describe('who speaks', () => {
  it.each([
    ['two people', { 0: 'customer', 1: 'agent' }],
    ['two people, swapped', { 0: 'agent', 1: 'customer' }],
    ['three people', { 0: 'customer', 1: 'agent', 2: 'unknown' }],
    ['five channels, two people in the middle', { 2: 'customer', 3: 'agent' }],
  ])('is told by the channel: %s', async (name, expected) => {
    expect(rolesByChannel(await transcribe(name))).toEqual(expected);
  });

  it.each(['both on one, the other silent', 'both on one, hum on the other', 'the first silent, both on the other'])(
    'is not told by the channel where all speak on one: %s',
    async (name) => {
      const { transcript } = await transcribe(name);
      expect(transcript.segments.length).toBeGreaterThan(2);
      expect(new Set(transcript.segments.map(({ channel }) => channel)).size).toBe(1);
      expect(new Set(transcript.segments.map(({ role }) => role))).not.toEqual(new Set(['customer']));
      expect(new Set(transcript.segments.map(({ role }) => role))).not.toEqual(new Set(['agent']));
    },
  );

  it.each<[ChannelMap, string]>([
    [{ '0': 'customer', '1': 'agent' }, 'customer'],
    [{ '0': 'agent', '1': 'customer' }, 'agent'],
  ])('is what a map says, also beside a silent channel: %j', async (channelMap, role) => {
    const heard = await transcribe('both on one, the other silent', channelMap);
    expect(rolesByChannel(heard)).toEqual({ 0: role });
  });
});
