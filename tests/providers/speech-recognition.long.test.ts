import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPocketsphinx } from '../../src/providers/speech/pocketsphinx.ts';
import { transcribeRecording, type TranscribedRecording } from '../../src/providers/speech/transcribe.ts';
import {
  speechMs,
  wordErrors,
  wordsOf,
  record,
  type Recording,
  type SpokenLine,
  type Voice,
} from '../support/voices.ts';
import type { AudioFormat } from '../../src/providers/audio/formats.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

const engine = createPocketsphinx();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recognition-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const serviceCall: [by: 'agent' | 'customer', text: string][] = [
  ['agent', 'thank you for calling northwind support this is daniel how may i help you today'],
  ['customer', 'hi i placed an order two weeks ago and it still has not arrived'],
  ['agent', 'i am sorry to hear that let me look into it for you'],
  ['agent', 'could you please tell me the order number'],
  ['customer', 'sure it is four seven two nine one'],
  ['agent', 'thank you i can see the parcel left our warehouse on monday'],
  ['customer', 'i have been waiting on hold for thirty minutes'],
  ['agent', 'i understand your frustration and i apologize for the delay'],
  ['customer', 'i would like my money back please'],
  ['agent', 'i have issued a full refund of eighty five dollars to your account'],
  ['customer', 'okay that sounds good thank you very much for your help'],
  ['agent', 'is there anything else i can help you with today'],
  ['customer', 'no that is all'],
  ['agent', 'thank you for calling have a wonderful day goodbye'],
];

/** Half of the call for each pair of voices, so that every word of it is heard once in each format. */
const halves = [serviceCall.slice(0, 7), serviceCall.slice(7)];

function spoken(lines: typeof serviceCall, [agent, customer]: Pair): SpokenLine[] {
  return lines.map(([by, text]) => ({
    channel: by === 'agent' ? 1 : 0,
    voice: by === 'agent' ? agent : customer,
    text,
  }));
}

async function transcribe(recording: Recording): Promise<TranscribedRecording> {
  return transcribeRecording({
    assignRoles,
    recordId: 'rec_test',
    path: recording.file,
    format: recording.format,
    workDir: await mkdtemp(path.join(folder, 'work-')),
    engine,
    language: null,
    channelMap: null,
    agentName: null,
    signal: AbortSignal.timeout(580_000),
  });
}

type Measured = { errors: number; words: number; ratios: number[]; roles: (string | undefined)[]; xRealTime: number };

async function measure(lines: SpokenLine[], format: AudioFormat, sampleRate: number): Promise<Measured> {
  const own = await mkdtemp(path.join(folder, 'call-'));
  const recording = await record(own, { lines, format, sampleRate });
  const start = performance.now();
  const { transcript, durationMs } = await transcribe(recording);
  const tookMs = performance.now() - start;
  const channels = [0, 1].map((channel) => {
    const segments = transcript.segments.filter((segment) => segment.channel === channel);
    const reference = recording.spoken.lines
      .filter((line) => line.channel === channel)
      .flatMap(({ text }) => wordsOf(text));
    const talkMs = segments.reduce((sum, segment) => sum + segment.endMs - segment.startMs, 0);
    const trackMs = speechMs(recording.spoken.tracks[channel] ?? new Int16Array(0));
    return {
      errors: wordErrors(
        reference,
        segments.flatMap(({ text }) => wordsOf(text)),
      ),
      words: reference.length,
      ratio: talkMs / trackMs,
      role: segments[0]?.role,
    };
  });
  return {
    errors: channels.reduce((sum, { errors }) => sum + errors, 0),
    words: channels.reduce((sum, { words }) => sum + words, 0),
    ratios: channels.map(({ ratio }) => ratio),
    roles: channels.map(({ role }) => role),
    xRealTime: tookMs / (2 * durationMs),
  };
}

type Pair = [agent: Voice, customer: Voice];
const pairs: Pair[] = [
  ['slt', 'rms'],
  ['awb', 'kal16'],
];

describe('recognition of two-channel calls by PocketSphinx', () => {
  it.each([
    ['wav', 16_000, 0.25],
    ['wav', 8000, 0.5],
    ['mp3', 8000, 0.6],
  ] as const)(
    'hears each call as %s at %i Hz with a word error rate below %f, talk times and roles right',
    async (format, sampleRate, errorRateMax) => {
      for (const [index, pair] of pairs.entries()) {
        const result = await measure(spoken(halves[index] ?? [], pair), format, sampleRate);
        const [agent, customer] = pair;
        expect(result.roles, `${agent} and ${customer}`).toEqual(['customer', 'agent']);
        for (const ratio of result.ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
        expect(result.errors / result.words, `${agent} and ${customer}`).toBeLessThan(errorRateMax);
      }
    },
    600_000,
  );
});
