import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { type DecodedAudio, decodeAudio } from '../../src/providers/audio/decode.ts';
import type { AudioSource } from '../../src/providers/audio/formats.ts';
import type { SpeechEngine, SpeechResult } from '../../src/providers/speech/interface.ts';
import { createOpenai } from '../../src/providers/speech/openai.ts';
import { type TranscribedRecording, transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { planPhrases } from '../../src/providers/speech/upload-parts.ts';
import { withInferredRoles } from '../../src/scoring/roles/inferred.ts';
import { scoreCall } from '../support/score-call.ts';
import { type ReceivedRequest, type Reply, sendJson, speechServer } from '../support/speech-server.ts';
import { record } from '../support/voices.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

let folder = '';
let twoParty: { source: AudioSource; audio: DecodedAudio };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servers-'));
  const own = path.join(folder, 'two');
  await mkdir(own);
  const { file, format } = await record(own, {
    lines: [
      { channel: 1, voice: 'slt', text: 'thank you for calling how can i help you' },
      { channel: 0, voice: 'kal16', text: 'i would like to know my balance', pauseMs: 1500 },
      { channel: 1, voice: 'slt', text: 'of course', pauseMs: 1500 },
    ],
    format: 'wav',
    sampleRate: 16_000,
  });
  const source = { path: file, format };
  twoParty = { source, audio: await decodeAudio(source, { workDir: own }) };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function hear(engine: SpeechEngine): Promise<SpeechResult> {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  return engine.transcribe({ ...twoParty, language: null, workDir, signal: AbortSignal.timeout(60_000) });
}

async function transcribe(engine: SpeechEngine, language: string | null): Promise<TranscribedRecording> {
  const { path: file, format } = twoParty.source;
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const call = { recordId: 'rec', path: file, format, workDir, engine, language, channelMap: null, agentName: null };
  return transcribeRecording({ assignRoles, ...call, signal: AbortSignal.timeout(60_000) });
}

const fieldOf = ({ fields }: ReceivedRequest, name: string): string | undefined =>
  fields.find(([field]) => field === name)?.[1];

const timed = (language: string | null = null) => ({
  text: 'Hello there.',
  language,
  segments: [{ start: 0.3, end: 6, text: 'Hello there.' }],
  words: [
    { word: 'Hello', start: 0.3, end: 0.6 },
    { word: 'there', start: 0.6, end: 6 },
  ],
});

describe('the language that a server answers', () => {
  it.each([
    ['english', 'en'],
    ['English', 'en'],
    ['german', 'de'],
    ['Russian', 'ru'],
    ['haitian creole', 'ht'],
    ['lao', 'lo'],
    ['castilian', 'es'],
    ['myanmar', 'my'],
    ['javanese', 'jv'],
    ['jw', 'jv'],
    ['en_us', 'en-US'],
    ['pt-BR', 'pt-BR'],
    ['eng', 'en'],
    ['', null],
    ['auto', null],
    ['multi', null],
    ['und', null],
    ['not a language', null],
  ])('is stored as a tag: "%s" is %s', async (answered, tag) => {
    const server = await speechServer((_, res) => sendJson(res, timed(answered)));
    const { transcript } = await transcribe(createOpenai({ baseUrl: server.baseUrl }), null);
    expect(transcript.language).toBe(tag);
  });

  it('was stored by its name once, and is asked for by its tag', async () => {
    const server = await speechServer((request, res) => {
      const language = fieldOf(request, 'language');
      if (language === 'en') sendJson(res, timed('english'));
      else sendJson(res, { error: { message: `Invalid language '${language}'` } }, 400);
    });
    const { transcript } = await transcribe(createOpenai({ baseUrl: server.baseUrl }), 'english');
    expect(transcript.language).toBe('en');
  });
});

describe('times of words', () => {
  const formats = (received: readonly ReceivedRequest[]) => received.map((each) => fieldOf(each, 'response_format'));

  it('are asked for again after one answer without them', async () => {
    const server = await speechServer((_, res, count) => sendJson(res, count === 1 ? { text: 'hm' } : timed()));
    const engine = createOpenai({ baseUrl: server.baseUrl });
    await hear(engine);
    const asked = server.received.length;
    const { utterances } = await hear(engine);
    expect(formats(server.received.slice(asked))).toEqual(['verbose_json', 'verbose_json']);
    expect(utterances.every(({ words }) => words.length === 2)).toBe(true);
  });

  it('are kept for the rest of a recording where one part of it comes without', async () => {
    const reply: Reply = (_, res, count) => sendJson(res, count === 2 ? { text: 'hm' } : timed());
    const server = await speechServer(reply);
    const { utterances } = await hear(createOpenai({ baseUrl: server.baseUrl }));
    expect(formats(server.received)).toEqual(['verbose_json', 'verbose_json', 'json', 'json']);
    expect(utterances.filter(({ channel }) => channel === 0).flatMap(({ words }) => words)).toHaveLength(2);
  });

  it('are asked for once a recording of a server that has none', async () => {
    const server = await speechServer((_, res) => sendJson(res, { text: 'hello' }));
    await hear(createOpenai({ baseUrl: server.baseUrl }));
    expect(formats(server.received)).toEqual(['verbose_json', 'json', 'json', 'json']);
  });

  it('are not asked for again of an address and model that refused to give them', async () => {
    const message = "response_format 'verbose_json' is not compatible with model 'small', use 'json'";
    const server = await speechServer((request, res) => {
      const isRefused = fieldOf(request, 'model') === 'small' && fieldOf(request, 'response_format') !== 'json';
      if (isRefused) sendJson(res, { error: { message } }, 400);
      else sendJson(res, fieldOf(request, 'response_format') === 'json' ? { text: 'hello' } : timed());
    });
    const [small, large] = ['small', 'large'].map((model) => createOpenai({ baseUrl: server.baseUrl, model }));
    if (!small || !large) throw new Error('No engines.');
    await hear(small);
    const asked = server.received.length;
    await hear(small);
    expect(new Set(formats(server.received.slice(asked)))).toEqual(new Set(['json']));
    await hear(large);
    expect(formats(server.received.slice(-2))).toEqual(['verbose_json', 'verbose_json']);
  });
});

describe('phrases', () => {
  it('are sent once: none holds sound of another one', () => {
    const regions = Array.from({ length: 300 }, (_, at) => ({ startMs: at * 2000, endMs: at * 2000 + 1500 }));
    const phrases = planPhrases(regions, { startMs: 0, endMs: 600_000 }, 60_000);
    expect(phrases.length).toBeGreaterThan(5);
    for (const [at, phrase] of phrases.entries()) {
      expect(phrase.startMs).toBeGreaterThanOrEqual(phrases[at - 1]?.endMs ?? 0);
    }
    for (const { startMs, endMs } of regions) {
      expect(phrases.some((phrase) => phrase.startMs <= startMs && phrase.endMs >= endMs)).toBe(true);
    }
  });
});

describe('a call on one track', () => {
  const lines = [
    ['agent', 'Thank you for calling Northwind Energy, this is Sarah. How can I help you today?'],
    ['customer', 'Hi, I would like to move my engineer visit to Thursday.'],
    ['agent', 'Of course. Could you tell me your account number, please?'],
    ['customer', 'It is four seven two nine one.'],
    ['agent', 'Thank you. Your visit has been moved to Thursday at nine. Is there anything else?'],
    ['customer', 'No, that is all, thank you very much.'],
    ['agent', 'Thank you for calling. Have a lovely day, goodbye.'],
  ] as const;

  it.each([450, 900])('has an utterance for each turn, and a speaker, with pauses of %i ms', async (pauseMs) => {
    const lengthMs = 800;
    const segments = lines.map(([, text], at) => {
      const start = (at * (lengthMs + pauseMs)) / 1000;
      return {
        start,
        end: start + lengthMs / 1000,
        text,
        words: [{ word: text, start, end: start + lengthMs / 1000 }],
      };
    });
    const own = await mkdtemp(path.join(folder, 'mono-'));
    const spoken = { lines: lines.map(([, text]) => ({ channel: 0, voice: 'slt' as const, text, pauseMs: 0 })) };
    const { file, format } = await record(own, { ...spoken, format: 'wav', sampleRate: 8000, layout: 'mixed' });
    const text = lines.map(([, said]) => said).join(' ');
    const server = await speechServer((_, res) => sendJson(res, { text, segments }));
    const engine = createOpenai({ baseUrl: server.baseUrl });
    const about = { recordId: 'rec', language: 'en', channelMap: null, agentName: 'Sarah' };
    const signal = AbortSignal.timeout(60_000);
    const heard = await transcribeRecording({
      assignRoles,
      path: file,
      format,
      workDir: own,
      engine,
      ...about,
      signal,
    });
    const transcript = withInferredRoles(heard.transcript, 'Sarah');
    expect(transcript.segments.map(({ role }) => role)).toEqual(lines.map(([role]) => role));
    const { categories } = scoreCall({ transcript, durationMs: heard.durationMs, rubric: defaultRubric });
    expect(categories['problemResolution']).toBeGreaterThanOrEqual(80);
  });
});
