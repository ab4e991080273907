import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { audioLimits } from '../../src/providers/audio/limits.ts';
import { createDeepgram } from '../../src/providers/speech/deepgram.ts';
import { transcribeRecording } from '../../src/providers/speech/transcribe.ts';
import { overwrite } from '../support/damage.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { asAdmin } from './support/hosts.ts';
import { createProviderScene, type ProviderScene } from './support/provider-scene.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

let scene: ProviderScene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

const tone = ['-f', 'lavfi', '-i', 'sine=440:d=72:r=8000'];
const ogg = (): Buffer => execFileSync('ffmpeg', ['-v', 'error', ...tone, '-c:a', 'libvorbis', '-f', 'ogg', 'pipe:1']);

it('a damaged call is completed, says what is missing of it, and counts with its whole length', async () => {
  let uploaded = '';
  const server = await speechServer(({ headers }, response) => {
    uploaded = String(headers['content-type']);
    sendJson(response, { results: { channels: [], utterances: [] } });
  });
  const engine = createDeepgram({ apiKey: 'key', baseUrl: server.baseUrl });
  scene = await createProviderScene({
    parts: { transcribe: (input) => transcribeRecording({ assignRoles, ...input, engine, limits: audioLimits }) },
  });
  const recording = overwrite(ogg(), { format: 'ogg', start: 0.5, end: 0.6, seed: 3 });
  await scene.addCalls(1, { recording, fileContentType: 'audio/ogg' });
  const [call] = await scene.ended();
  expect(call).toMatchObject({ status: 'completed', failure: null });
  // What was made of it, and not the damaged file: its times are those of the transcript.
  expect(uploaded).toBe('audio/flac');
  const { t } = scene;
  const [row] = await asAdmin(
    t.deps.config.DATABASE_URL ?? '',
    (sql) => sql<{ missing: number; seconds: number; minutes: number }[]>`
      select file_missing_ms as missing, duration_seconds as seconds,
             (select minutes::float8 from usage_entries u where u.record_id = r.id) as minutes
        from records r where id = ${call?.id ?? ''}`,
  );
  expect(Math.abs((row?.missing ?? 0) - 7200)).toBeLessThan(2500);
  expect(row?.seconds).toBe(72);
  expect(row?.minutes).toBeCloseTo(1.2);
});
