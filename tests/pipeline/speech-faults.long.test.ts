import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { audioLimits } from '../../src/providers/audio/limits.ts';
import { createDeepgram } from '../../src/providers/speech/deepgram.ts';
import type { SpeechEngine } from '../../src/providers/speech/interface.ts';
import { createOpenai } from '../../src/providers/speech/openai.ts';
import { transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { pick, seededRandom } from '../support/random.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { toneWav } from './support/recording-server.ts';
import { createProviderScene, type ProviderScene } from './support/provider-scene.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

/** Calls in this language never come through on a bad day, so that some are given up for certain. */
const unlucky = { language: 'de', count: 2 };
const timeoutMs = 1_500;
const faultRate = 0.5;

let scene: ProviderScene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

/** What a provider does on a bad day. */
const faults: [(response: ServerResponse) => void, ...((response: ServerResponse) => void)[]] = [
  (response) => sendJson(response, { err_msg: 'Too many requests.' }, 429, { 'retry-after': '1' }),
  (response) => sendJson(response, { err_msg: 'Something went wrong.' }, 500),
  (response) => void response.writeHead(503).end('<html>Bad gateway</html>'),
  // Never answers.
  () => {},
  (response) => void response.destroy(),
  (response) =>
    void response.writeHead(200, { 'content-length': '1000' }).write('{"results":', () => response.destroy()),
  (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"results": 7}'),
  (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('\u0000\u0001 no json'),
];

const said = 'Thank you for calling Northwind';
const words = said.split(' ').map((word, n) => ({ word, start: 0.1 + n * 0.1, end: 0.2 + n * 0.1, confidence: 0.9 }));
const utterance = { start: 0.1, end: 0.7, confidence: 0.9, channel: 0, speaker: 0, transcript: said, words };

const providers = [
  {
    name: 'Deepgram',
    callCount: 24,
    answer: { results: { channels: [], utterances: [utterance] } },
    create: (baseUrl: string): SpeechEngine => createDeepgram({ apiKey: 'key', baseUrl, timeoutMs }),
  },
  {
    name: 'an OpenAI-compatible server',
    callCount: 12,
    answer: { text: said, language: 'en', segments: [{ start: 0.1, end: 0.7, text: said }], words },
    create: (baseUrl: string): SpeechEngine => createOpenai({ apiKey: 'key', baseUrl: `${baseUrl}/v1`, timeoutMs }),
  },
];

it.each(providers)(
  'every recording ends with its analysis or a reason while $name fails at random, and all of them once it is back',
  async ({ answer, create, callCount }) => {
    const random = seededRandom(20_261_121);
    let isBad = true;
    const server = await speechServer(({ url, fields }, response) => {
      const language = url.searchParams.get('language') ?? new Map(fields).get('language');
      const isFailing = language === unlucky.language || random() < faultRate;
      if (isBad && isFailing) pick(random, faults)(response);
      else sendJson(response, answer);
    });
    const engine = create(server.baseUrl);
    scene = await createProviderScene({
      parts: {
        transcribe: (input) => transcribeRecording({ assignRoles, ...input, engine, limits: audioLimits }),
        transcriptionsMax: 8,
      },
    });
    const recording = toneWav(1000);
    await scene.addCalls(unlucky.count, { recording, language: unlucky.language });
    await scene.addCalls(callCount, { recording });

    const ended = await scene.ended(120_000);
    const failed = ended.filter(({ status }) => status === 'failed');
    const codes = ['SPEECH_RATE_LIMITED', 'SPEECH_UNAVAILABLE', 'SPEECH_TIMEOUT', 'SPEECH_BAD_RESPONSE'];
    for (const { failure } of failed) {
      expect(failure).toEqual({ code: expect.toBeOneOf(codes), message: expect.any(String), retryable: true });
    }
    expect(ended).toHaveLength(callCount + unlucky.count);
    expect(failed.length).toBeGreaterThanOrEqual(unlucky.count);
    expect(failed.length).toBeLessThan(callCount / 2);
    expect(server.received.length).toBeGreaterThan(callCount * 1.3);

    isBad = false;
    const { t, org } = scene;
    for (const { id } of failed) {
      const { status } = await t.as(org, { method: 'POST', url: `/api/v1/records/${id}/retry` });
      expect(status).toBe(200);
    }
    await scene.ended(120_000);
    await scene.expectAllCompleted();
  },
  300_000,
);
