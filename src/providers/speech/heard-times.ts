import { SpeechError } from './errors.ts';
import type { HeardUtterance } from './interface.ts';

/** At the end, recognisers round up to their own window (Whisper: 30 s); times beyond that are invalid. */
const toleranceMs = 35_000;

/** Converts a provider's seconds to milliseconds on the recording's clock. */
export function toMs(seconds: number, offsetMs: number): number {
  return Math.round(seconds * 1000 + offsetMs);
}

/** Throws `SPEECH_BAD_RESPONSE` if times lie outside the recording or run backwards. */
export function assertTimes(utterances: HeardUtterance[], durationMs: number, provider: string): void {
  const isAbsurd = ({ startMs, endMs }: { startMs: number; endMs: number }): boolean =>
    startMs < -toleranceMs ||
    endMs > durationMs + toleranceMs ||
    startMs > durationMs + toleranceMs ||
    endMs < startMs - 1;
  if (!utterances.some((utterance) => isAbsurd(utterance) || utterance.words.some(isAbsurd))) return;
  throw new SpeechError('SPEECH_BAD_RESPONSE', `${provider} answered with times outside the recording.`);
}

export function toConfidence(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  return Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000;
}
