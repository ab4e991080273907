import { endingOf } from '../../../lib/child.ts';
import { SpeechError } from '../errors.ts';
import type { RecogniserReply } from './messages.ts';

export type ProcessEnd = {
  exitCode: number | null;
  signalCode: string | null;
  stderr: string;
  stage: 'starting' | 'loading' | 'listening';
};

type About = { model: string; memoryBytesMax: number };

/** Why a job failed whose process ended before it answered. */
export function describeEnd(end: ProcessEnd, about: About): SpeechError {
  const { exitCode, signalCode, stderr, stage } = end;
  const { code, lostTo } = endingOf(exitCode, signalCode);
  const how = lostTo ?? `exit code ${code}`;
  const internal = `ended by ${how} while ${stage}: ${stderr}`;
  // A killed process did not run out of its own memory, whatever it printed before.
  if (lostTo === 'SIGKILL') {
    const message = 'The local recogniser was killed from outside, as systems do when memory runs out.';
    return new SpeechError('SPEECH_FAILED', message, { internal });
  }
  if (speaksOfMemory(stderr)) return outOfMemory(about, internal);
  if (stage === 'loading' && code !== null) return unusable(about, internal);
  const message = `The local recogniser crashed on this recording (${how}).`;
  return new SpeechError('SPEECH_FAILED', message, { internal });
}

/** Why a job failed that the process itself gave up. */
export function describeFailure(reply: Extract<RecogniserReply, { type: 'failed' }>, about: About): SpeechError {
  const internal = reply.message;
  switch (reply.reason) {
    case 'engine-missing': {
      const message = `SPEECH_ENGINE=local needs the package sherpa-onnx-${process.platform}-${process.arch}, which is not installed: run npm ci without --omit=optional.`;
      return new SpeechError('SPEECH_ENGINE_MISSING', message, { internal });
    }
    case 'model-unusable':
      return unusable(about, internal);
    case 'out-of-memory':
      return outOfMemory(about, internal);
    case 'failed':
      return new SpeechError('SPEECH_FAILED', 'The local recogniser failed on this recording.', { internal });
  }
}

function unusable({ model }: About, internal: string): SpeechError {
  const message = `The speech model "${model}" cannot be loaded: fetch it again (npm run admin -- models pull ${model}).`;
  return new SpeechError('SPEECH_MODEL_UNUSABLE', message, { internal });
}

function outOfMemory({ model, memoryBytesMax }: About, internal: string): SpeechError {
  const megabytes = Math.round(memoryBytesMax / 1e6);
  const message = `The speech model "${model}" needs more memory than the ${megabytes} MB it may use: raise SPEECH_MEMORY_MAX_MB or take a smaller model.`;
  return new SpeechError('SPEECH_OUT_OF_MEMORY', message, { internal });
}

/** Node, V8, the C++ library and the loader each have their own words for it. */
const outOfMemoryWords =
  /bad_alloc|out of memory|cannot allocate memory|failed to allocate|allocation failed|ReserveCodeRange/i;

export function speaksOfMemory(text: string): boolean {
  return outOfMemoryWords.test(text);
}
