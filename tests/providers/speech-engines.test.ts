import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecodedAudio, decodeAudio } from '../../src/providers/audio/decode.ts';
import type { AudioSource } from '../../src/providers/audio/formats.ts';
import { createDeepgram } from '../../src/providers/speech/deepgram.ts';
import type { SpeechEngine, SpeechResult } from '../../src/providers/speech/interface.ts';
import { createOpenai } from '../../src/providers/speech/openai.ts';
import { retryAfterMs } from '../../src/providers/speech/provider-call.ts';
import { selectEngine } from '../../src/providers/speech/select.ts';
import { type Reply, sendJson, speechServer } from '../support/speech-server.ts';
import { record } from '../support/voices.ts';

const apiKey = 'key-that-nobody-may-see-0123456789';
type Sample = { source: AudioSource; audio: DecodedAudio };
let folder = '';
let twoParty: Sample;
let mono: Sample;

async function sample(name: string, layout: 'separate' | 'mixed'): Promise<Sample> {
  const own = path.join(folder, name);
  await mkdir(own);
  const { file, format } = await record(own, {
    lines: [
      { channel: 1, voice: 'slt', text: 'thank you for calling how can i help you' },
      { channel: 0, voice: 'kal16', text: 'i would like to know my balance', pauseMs: 1500 },
      { channel: 1, voice: 'slt', text: 'of course', pauseMs: 1500 },
    ],
    format: 'wav',
    sampleRate: 16_000,
    layout,
  });
  const source = { path: file, format };
  return { source, audio: await decodeAudio(source, { workDir: own }) };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engines-'));
  twoParty = await sample('two', 'separate');
  mono = await sample('mono', 'mixed');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(
  engine: SpeechEngine,
  what: Sample,
  signal = AbortSignal.timeout(60_000),
  language: string | null = null,
): Promise<SpeechResult> {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  return engine.transcribe({ ...what, language, workDir, signal });
}

const word = (text: string, start: number, confidence = 0.9) => ({
  word: text,
  start,
  end: start + 0.3,
  confidence,
  punctuated_word: text,
});
const deepgramAnswer = {
  metadata: { request_id: 'r' },
  results: {
    channels: [
      {
        detected_language: 'en',
        alternatives: [{ transcript: 'Balance.', confidence: 0.9, words: [word('balance', 3.5)] }],
      },
    ],
    utterances: [
      {
        start: 3.5,
        end: 3.8,
        confidence: 0.91,
        channel: 0,
        transcript: 'Balance.',
        words: [{ ...word('balance', 3.5), punctuated_word: 'Balance.' }],
      },
      {
        start: 0.2,
        end: 0.9,
        confidence: 0.95,
        channel: 1,
        transcript: 'Thank you.',
        words: [word('Thank', 0.2), word('you.', 0.6)],
      },
    ],
  },
};
const openaiAnswer = {
  task: 'transcribe',
  language: 'english',
  duration: 7,
  text: 'Thank you.',
  segments: [{ id: 0, start: 0.3, end: 1, text: ' Thank you.', avg_logprob: -0.1, no_speech_prob: 0.01 }],
  words: [
    { word: 'Thank', start: 0.3, end: 0.6 },
    { word: 'you', start: 0.6, end: 1 },
  ],
};

type Provider = {
  name: string;
  make: (baseUrl: string, timeoutMs?: number) => SpeechEngine;
  good: unknown;
  empty: unknown;
  absurd: unknown;
};
const providers: Provider[] = [
  {
    name: 'deepgram',
    make: (baseUrl, timeoutMs = 5000) => createDeepgram({ apiKey, baseUrl, timeoutMs }),
    good: deepgramAnswer,
    empty: {
      results: { channels: [{ alternatives: [{ transcript: '', confidence: 0, words: [] }] }], utterances: [] },
    },
    absurd: {
      results: { channels: [], utterances: [{ start: 5, end: 99_999, channel: 0, transcript: 'x', words: [] }] },
    },
  },
  {
    name: 'openai',
    make: (baseUrl, timeoutMs = 5000) => createOpenai({ apiKey, baseUrl, timeoutMs }),
    good: openaiAnswer,
    empty: { text: '', segments: [], words: [] },
    absurd: { text: 'x', segments: [{ start: -400, end: 3, text: 'x' }] },
  },
];

describe.each(providers)('$name', ({ make, good, empty, absurd }) => {
  it.each<[string, Reply, object]>([
    [
      'a wrong key as final',
      (_, res) => sendJson(res, { error: `wrong key ${apiKey}` }, 401),
      { code: 'SPEECH_UNAUTHORIZED', retryable: false },
    ],
    ['a forbidden key as final', (_, res) => sendJson(res, {}, 403), { code: 'SPEECH_UNAUTHORIZED', retryable: false }],
    [
      'a refused recording as final',
      (_, res) => sendJson(res, { err_msg: `bad data ${apiKey}` }, 400),
      { code: 'SPEECH_REJECTED', retryable: false },
    ],
    [
      'a used-up account as final',
      (_, res) => sendJson(res, { error: { code: 'insufficient_quota' } }, 429),
      { code: 'SPEECH_REJECTED', retryable: false },
    ],
    [
      '429 with seconds to wait',
      (_, res) => sendJson(res, {}, 429, { 'retry-after': '17' }),
      { code: 'SPEECH_RATE_LIMITED', retryable: true, retryAfterMs: 17_000 },
    ],
    ['500 as passing', (_, res) => sendJson(res, {}, 500), { code: 'SPEECH_UNAVAILABLE', retryable: true }],
    [
      '503 with seconds to wait',
      (_, res) => sendJson(res, {}, 503, { 'retry-after': '3' }),
      { code: 'SPEECH_UNAVAILABLE', retryable: true, retryAfterMs: 3000 },
    ],
    [
      'what is no JSON',
      (_, res) => void res.end('<html>hello</html>'),
      { code: 'SPEECH_BAD_RESPONSE', retryable: true },
    ],
    [
      'JSON of another shape',
      (_, res) => sendJson(res, { results: 'none', text: 7 }),
      { code: 'SPEECH_BAD_RESPONSE', retryable: true },
    ],
    ['an empty body', (_, res) => void res.end(), { code: 'SPEECH_BAD_RESPONSE', retryable: true }],
    [
      'times outside the recording',
      (_, res) => sendJson(res, absurd),
      { code: 'SPEECH_BAD_RESPONSE', retryable: true },
    ],
    [
      'an answer that breaks off',
      (_, res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
        res.write('{"text": "thank', () => res.destroy());
      },
      { code: 'SPEECH_UNAVAILABLE', retryable: true },
    ],
  ])('takes %s, and shows no key', async (_, reply, expected) => {
    const server = await speechServer(reply);
    const error: unknown = await run(make(server.baseUrl), twoParty).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'SpeechError', ...expected });
    expect(JSON.stringify([error, String(error), Object.getOwnPropertyDescriptors(error)])).not.toContain(apiKey);
    expect(server.received).toHaveLength(1);
  });

  it('takes 429 with a date to wait for', async () => {
    const date = new Date(Date.now() + 40_000).toUTCString();
    const server = await speechServer((_, res) => sendJson(res, {}, 429, { 'retry-after': date }));
    const error: unknown = await run(make(server.baseUrl), twoParty).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SPEECH_RATE_LIMITED' });
    expect(error).toHaveProperty('retryAfterMs', expect.closeTo(39_500, -3.5));
  });

  it('gives up on a provider that hangs', async () => {
    const server = await speechServer(() => undefined);
    await expect(run(make(server.baseUrl, 200), twoParty)).rejects.toMatchObject({
      code: 'SPEECH_TIMEOUT',
      retryable: true,
    });
  });

  it('gives up on an answer that never ends', async () => {
    const server = await speechServer((_, res) => void res.write('{'));
    await expect(run(make(server.baseUrl, 200), twoParty)).rejects.toMatchObject({
      code: 'SPEECH_TIMEOUT',
      retryable: true,
    });
  });

  it('stops at once with the signal’s own reason', async () => {
    const stopping = new AbortController();
    const server = await speechServer(() => stopping.abort(new Error('shutting down')));
    await expect(run(make(server.baseUrl), twoParty, stopping.signal)).rejects.toThrow('shutting down');
  });

  it('takes a server that is not there as passing', async () => {
    await expect(run(make('http://127.0.0.1:1'), twoParty)).rejects.toMatchObject({
      code: 'SPEECH_UNAVAILABLE',
      retryable: true,
    });
  });

  it('hears nothing in an empty result', async () => {
    const server = await speechServer((_, res) => sendJson(res, empty));
    expect((await run(make(server.baseUrl), twoParty)).utterances).toEqual([]);
  });

  it('hears utterances with words, times and confidences', async () => {
    const server = await speechServer((_, res) => sendJson(res, good));
    const { utterances } = await run(make(server.baseUrl), twoParty);
    const heard = utterances.find(({ channel }) => channel === 1);
    expect(heard?.text).toMatch(/^Thank you\.$/);
    expect(heard?.words).toHaveLength(2);
    expect(heard?.words[1]).toMatchObject({ startMs: 600 });
    expect(heard?.confidence).toBeGreaterThan(0.85);
  });
});

describe('deepgram', () => {
  it('asks for channels of a two-party recording, which it sends as it is', async () => {
    const server = await speechServer((_, res) => sendJson(res, deepgramAnswer));
    const result = await run(createDeepgram({ apiKey, baseUrl: server.baseUrl }), twoParty);
    const [request] = server.received;
    expect(request?.url.pathname).toBe('/v1/listen');
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toMatchObject({
      model: 'nova-3',
      multichannel: 'true',
      utterances: 'true',
      detect_language: 'true',
    });
    expect(request?.headers).toMatchObject({ authorization: `Token ${apiKey}`, 'content-type': 'audio/wav' });
    expect(request?.body.subarray(0, 4).toString()).toBe('RIFF');
    expect(result).toMatchObject({ model: 'deepgram/nova-3', language: 'en' });
  });

  it('asks for the voices of a mix and splits an utterance where another voice goes on', async () => {
    const words = [
      { ...word('hello', 0.2), speaker: 0 },
      { ...word('hi', 0.6), speaker: 1 },
    ];
    const utterances = [
      { start: 0.2, end: 0.9, confidence: 0.9, channel: 0, speaker: 0, transcript: 'hello hi', words },
    ];
    const server = await speechServer((_, res) => sendJson(res, { results: { channels: [], utterances } }));
    const result = await run(createDeepgram({ apiKey, baseUrl: server.baseUrl }), mono, undefined, 'en-US');
    expect(Object.fromEntries(server.received[0]?.url.searchParams ?? [])).toMatchObject({
      diarize: 'true',
      language: 'en-US',
    });
    expect(result.utterances.map(({ voice, text }) => [voice, text])).toEqual([
      ['0', 'hello'],
      ['1', 'hi'],
    ]);
  });
});

describe('openai', () => {
  it('sends each voice by itself and asks for times of words and segments', async () => {
    const server = await speechServer((_, res) => sendJson(res, openaiAnswer));
    await run(createOpenai({ apiKey, baseUrl: `${server.baseUrl}/v1/` }), twoParty, undefined, 'en-US');
    expect(server.received).toHaveLength(2);
    expect(server.received[0]?.url.pathname).toBe('/v1/audio/transcriptions');
    expect(server.received[0]?.headers['authorization']).toBe(`Bearer ${apiKey}`);
    expect(server.received[0]?.fields).toEqual([
      ['model', 'whisper-1'],
      ['response_format', 'verbose_json'],
      ['language', 'en'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
      ['file', expect.stringMatching(/^recording\.wav \(\d+\)$/)],
    ]);
  });

  it('leaves out sentences that a server makes up where nobody speaks', async () => {
    const madeUp = {
      text: 'Thank you. Thanks for watching.',
      segments: [...openaiAnswer.segments, { start: 4.4, end: 5.2, text: 'Thanks for watching.' }],
    };
    const server = await speechServer((_, res) => sendJson(res, madeUp));
    const result = await run(createOpenai({ baseUrl: server.baseUrl }), twoParty);
    expect(result.utterances.filter(({ channel, text }) => channel === 1 && /watching/.test(text))).toEqual([]);
  });

  it('asks phrase by phrase where a server answers with text alone, so that each phrase has its time', async () => {
    const server = await speechServer((_, res, count) => sendJson(res, { text: `phrase ${count}` }));
    const { utterances } = await run(createOpenai({ baseUrl: server.baseUrl }), twoParty);
    const byTime = utterances.toSorted((a, b) => a.startMs - b.startMs);
    expect(byTime.map(({ channel }) => channel)).toEqual([1, 0, 1]);
    for (const [index, line] of byTime.entries())
      expect(line.endMs).toBeLessThanOrEqual(byTime[index + 1]?.startMs ?? Infinity);
    expect(server.received[0]?.headers['authorization']).toBeUndefined();
  });

  it('asks models that refuse verbose_json for json', async () => {
    const server = await speechServer((request, res) => {
      const format = request.fields.find(([name]) => name === 'response_format')?.[1];
      if (format === 'json') sendJson(res, { text: 'hello' });
      else
        sendJson(
          res,
          {
            error: { message: "response_format 'verbose_json' is not compatible with model", param: 'response_format' },
          },
          400,
        );
    });
    const { utterances } = await run(createOpenai({ baseUrl: server.baseUrl, model: 'some-model' }), twoParty);
    expect(utterances).toHaveLength(3);
    const formats = server.received.map(({ fields }) => fields.find(([name]) => name === 'response_format')?.[1]);
    expect(formats).toEqual(['verbose_json', 'json', 'json', 'json']);
  });

  it('asks models known to give no times phrase by phrase from the start', async () => {
    const server = await speechServer((_, res) => sendJson(res, { text: 'hello' }));
    await run(createOpenai({ baseUrl: server.baseUrl, model: 'gpt-4o-transcribe' }), mono);
    expect(
      server.received.every(({ fields }) =>
        fields.some(([name, value]) => name === 'response_format' && value === 'json'),
      ),
    ).toBe(true);
  });

  it('cuts what is over the size limit at silences and keeps the times of the words', async () => {
    const server = await speechServer((_, res) =>
      sendJson(res, { text: 'hello', words: [{ word: 'hello', start: 0.3, end: 0.6 }] }),
    );
    const { utterances } = await run(createOpenai({ baseUrl: server.baseUrl, uploadBytesMax: 60_000 }), mono);
    expect(server.received.length).toBeGreaterThan(1);
    for (const { fields } of server.received) {
      const size = Number(/\((\d+)\)/.exec(fields.find(([name]) => name === 'file')?.[1] ?? '')?.[1]);
      expect(size).toBeLessThanOrEqual(60_000);
    }
    const starts = utterances.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts.at(-1)).toBeGreaterThan(2000);
  });
});

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '2.5' }, 2500],
    [{ 'retry-after-ms': '350' }, 350],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(Object.entries(headers)), Date.parse('2026-01-01T00:00:00Z'))).toBe(expected);
  });
});

describe('choice of the engine', () => {
  it.each([
    [{ engine: 'auto', deepgramApiKey: 'd', openaiApiKey: 'o' }, 'deepgram'],
    [{ engine: 'auto', openaiApiKey: 'o' }, 'openai'],
    [{ engine: 'auto', openaiBaseUrl: 'http://127.0.0.1:9' }, 'openai'],
    [{ engine: 'auto' }, 'pocketsphinx'],
    [{ engine: 'pocketsphinx', deepgramApiKey: 'd' }, 'pocketsphinx'],
  ] as const)('%j takes %s', (settings, name) => {
    expect(selectEngine(settings).name).toBe(name);
  });

  it('says what to set when the engine asked for is not configured', () => {
    expect(() => selectEngine({ engine: 'deepgram' })).toThrow(/DEEPGRAM_API_KEY/);
    expect(() => selectEngine({ engine: 'openai' })).toThrow(/OPENAI_API_KEY or OPENAI_BASE_URL/);
  });
});
