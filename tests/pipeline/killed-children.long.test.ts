import { execFileSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { audioLimits } from '../../src/providers/audio/limits.ts';
import { createDeepgram } from '../../src/providers/speech/deepgram.ts';
import { transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { signalFirstStart } from '../support/wrapped-program.ts';
import { createProviderScene, type ProviderScene } from './support/provider-scene.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

const seconds = 72;
/** A hung decoder is given two seconds for such a call. */
const limits = { ...audioLimits, timeoutMsBase: 1300, timeoutPerMs: 0.01 };
let scene: ProviderScene | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await scene?.close();
  scene = undefined;
});

function mp3(): Buffer {
  const tone = ['-f', 'lavfi', '-i', `sine=440:d=${seconds}:r=8000`];
  return execFileSync('ffmpeg', ['-v', 'error', ...tone, '-f', 'mp3', 'pipe:1'], { maxBuffer: 10_000_000 });
}

/** Reads so fast that 20 s of the call are decoded when the signal comes. */
const midway = { afterMs: 500, extra: '-readrate 40' };

it.each([
  ['killed after 20 s', { signal: 'KILL', ...midway }],
  ['killed before it gave anything', { signal: 'KILL', afterMs: 0 }],
  ['asked to stop after 20 s', { signal: 'TERM', ...midway }],
  ['stopped after 20 s and hangs', { signal: 'STOP', ...midway }],
] as const)('a call of 72 s whose decoder is %s is decoded anew, and whole', async (_, fault) => {
  const server = await speechServer((_request, response) =>
    sendJson(response, { results: { channels: [], utterances: [] } }),
  );
  const engine = createDeepgram({ apiKey: 'key', baseUrl: server.baseUrl });
  scene = await createProviderScene({
    parts: { transcribe: (input) => transcribeRecording({ assignRoles, ...input, engine, limits }) },
  });
  const recording = mp3();
  const decoder = await signalFirstStart('ffmpeg', fault);
  vi.stubEnv('PATH', decoder.path);
  await scene.addCalls(1, { recording, fileContentType: 'audio/mpeg' });

  const [call] = await scene.ended();
  expect(call).toMatchObject({ status: 'completed', failure: null });
  expect(await decoder.starts()).toBe(2);
  const { t, org } = scene;
  const { body } = await t.as(org, { method: 'GET', url: `/api/v1/records/${call?.id}` });
  expect(body.data.duration).toBe(seconds);
});
