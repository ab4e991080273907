import { AudioError } from './errors.ts';
import type { AudioFormat, AudioSource } from './formats.ts';
import type { AudioLimits } from './limits.ts';
import { type AudioProbe, probeAudio } from './probe.ts';
import { type Decoded, decodeSamples } from './samples.ts';

/** Receives the samples of a recording; a second read starts with a new sink. */
export type SampleSink = {
  write: (split: Int16Array[]) => Promise<void> | void;
  close?: () => Promise<void>;
};

export type ReadingOptions<Sink extends SampleSink> = {
  /** Sample rate of the output, Hz. */
  sampleRate: number;
  limits: AudioLimits;
  signal: AbortSignal | undefined;
  open: (probe: AudioProbe) => Promise<Sink> | Sink;
};

export type Reading<Sink> = {
  probe: AudioProbe;
  sink: Sink;
  /** Length of the sound that was read. */
  soundMs: number;
  /** Length of the recording, including what could not be read. */
  durationMs: number;
  /** Length of what could not be read: 0 if nothing, or next to nothing, is missing. */
  missingMs: number;
};

/** How much shorter than announced the sound may be before the recording counts as cut off. */
const shortfallMs = 1000;
const shortfallShare = 0.02;
/** For intact recordings, encoders and headers differ by less than this. */
const missingMsMin = 500;
/** With less than this, no verdict would be meaningful. */
const readableShareMin = 0.2;
/** Formats of which a second, more tolerant read recovers more, at the right position. */
const patientFormats = new Set<AudioFormat>(['flac', 'm4a', 'ogg']);

/**
 * Decodes a recording; if it is damaged, once more, as far as it can be read. Throws `AudioError`, or the signal's
 * reason.
 */
export async function readRecording<Sink extends SampleSink>(
  source: AudioSource,
  options: ReadingOptions<Sink>,
): Promise<Reading<Sink>> {
  const first = await readOnce(source, options).catch((error: unknown) => {
    if (isUndecodable(error) && patientFormats.has(source.format)) return error;
    throw error;
  });
  const isUnread = first instanceof AudioError;
  if (!isUnread && !(first.hasErrors && patientFormats.has(source.format))) return judge(source, first);
  const damaged = { ...source, isDamaged: true };
  const second = await readOnce(damaged, options).catch((error: unknown) => {
    throw isUnread && isUndecodable(error) ? first : error;
  });
  return judge(damaged, second);
}

type Read<Sink> = Decoded & { probe: AudioProbe; sink: Sink };

async function readOnce<Sink extends SampleSink>(
  source: AudioSource,
  { sampleRate, limits, signal, open }: ReadingOptions<Sink>,
): Promise<Read<Sink>> {
  const probe = await probeAudio(source, { signal, limits });
  const { channels, sampleRate: sourceRate, durationMs } = probe;
  const sink = await open(probe);
  try {
    const onSamples = (split: Int16Array[]): Promise<void> | void => sink.write(split);
    const request = { source, channels, sourceRate, sampleRate, durationMs, limits, signal, onSamples };
    return { ...(await decodeSamples(request)), probe, sink };
  } finally {
    await sink.close?.();
  }
}

function isUndecodable(error: unknown): error is AudioError {
  return error instanceof AudioError && error.code === 'AUDIO_UNDECODABLE';
}

function judge<Sink>(source: AudioSource, read: Read<Sink>): Reading<Sink> {
  const { probe, sink, durationMs: soundMs, decodedMs } = read;
  const promisedMs = lengthPromised(source, read);
  const durationMs = Math.max(soundMs, promisedMs);
  if (!mayMissAnywhere(source, read)) assertNotCut(promisedMs, soundMs);
  if (decodedMs < durationMs * readableShareMin) {
    const message = `The recording is damaged: ${seconds(decodedMs)} s of ${seconds(durationMs)} s can be read.`;
    throw new AudioError('AUDIO_DAMAGED', message);
  }
  const missingMs = durationMs - decodedMs;
  const hasDamage = read.hasErrors || source.isDamaged;
  const isWhole = missingMs < missingMsMin || !hasDamage;
  // An intact recording is as long as its sound: headers round, and count what decoders skip.
  return isWhole
    ? { probe, sink, soundMs, durationMs: soundMs, missingMs: 0 }
    : { probe, sink, soundMs, durationMs, missingMs };
}

/**
 * MP3 has no timestamps, and a damaged Ogg file may have lost its last pages, so the missing part may be at the end.
 */
function mayMissAnywhere({ format, isDamaged = false }: AudioSource, { hasErrors }: Decoded): boolean {
  return (format === 'mp3' && hasErrors) || (format === 'ogg' && isDamaged);
}

function lengthPromised(source: AudioSource, read: Read<unknown>): number {
  const { isDurationExact, durationMs } = read.probe;
  if (isDurationExact) return durationMs;
  if (!mayMissAnywhere(source, read)) return 0;
  // Most MP3s keep the bit rate of their first frame. For others, the estimate is far off.
  return source.format === 'ogg' || read.decodedMs > durationMs / 2 ? durationMs : 0;
}

function assertNotCut(promisedMs: number, soundMs: number): void {
  if (promisedMs - soundMs <= Math.max(shortfallMs, promisedMs * shortfallShare)) return;
  const message = `The recording is cut off: ${seconds(soundMs)} s of the announced ${seconds(promisedMs)} s can be read.`;
  throw new AudioError('AUDIO_TRUNCATED', message);
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}
