import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createPipelineClient } from '../../src/pipeline/client.ts';
import { readFunctionSpecs } from '../../src/pipeline/engine/function-specs.ts';
import { createTranscribeRecording } from '../../src/pipeline/functions/transcribe-recording.ts';
import type { FunctionDeps } from '../../src/pipeline/dependencies.ts';
import { stepsMaxOf } from '../../src/pipeline/steps-max.ts';
import { log } from './support/hosts.ts';

function limitsWith(workers: string) {
  const config = loadConfig({ SPEECH_ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'key', PIPELINE_WORKERS: workers });
  const client = createPipelineClient({ config, log, engineFetch: fetch });
  // Nothing but the configuration is looked at before a recording comes.
  const transcribe = createTranscribeRecording(client, { config } as FunctionDeps);
  const [spec] = readFunctionSpecs([transcribe], 'earshot');
  return { limit: spec?.limit, laneLimit: spec?.laneLimit, stepsMax: stepsMaxOf(config) };
}

it('gives transcriptions as many places as there are workers to take them', () => {
  expect(limitsWith('1')).toEqual({ limit: 8, laneLimit: 7, stepsMax: 8 });
  expect(limitsWith('5')).toEqual({ limit: 40, laneLimit: 39, stepsMax: 40 });
});
