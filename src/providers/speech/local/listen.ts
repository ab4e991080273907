import type { Vad } from 'sherpa-onnx-node';
import { findSpeech, measureLevels, type SpeechRegion } from '../../audio/voice-activity.ts';
import { voiceSampleRate } from '../../audio/voice-rate.ts';
import { readWav, readWavRange } from '../../audio/wav-file.ts';
import type { HeardUtterance } from '../interface.ts';
import { type PlannedUtterance, planUtterances } from '../utterance-plan.ts';
import { type Recogniser, vadWindowSamples } from './sherpa.ts';
import { toWords } from './token-words.ts';

const samplesPerMs = voiceSampleRate / 1000;

export type Listening = {
  voice: { channel: number; path: string };
  durationMs: number;
  recogniser: Recogniser;
  /** Null: only the level decides where somebody speaks. */
  vad: Vad | null;
  onProgress: () => void;
};

/**
 * Recognises one voice: finds its speech, cuts it at silences, transcribes each piece and places its words on the
 * clock.
 */
export async function listen(listening: Listening): Promise<{ utterances: HeardUtterance[]; language: string | null }> {
  const { voice, durationMs, recogniser, vad, onProgress } = listening;
  const regions = vad ? await findSpeechBy(vad, voice.path, onProgress) : findSpeech(await measureLevels(voice.path));
  const utterances: HeardUtterance[] = [];
  let language: string | null = null;
  for (const planned of planUtterances(regions, durationMs)) {
    const heard = await recogniser.hear(await samplesOf(voice.path, planned));
    onProgress();
    language ??= heard.language;
    const words = isNoise(heard.text) ? [] : toWords(heard, planned);
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) continue;
    utterances.push({
      channel: voice.channel,
      voice: null,
      startMs: first.startMs,
      endMs: last.endMs,
      text: words.map(({ text }) => text).join(' '),
      confidence: null,
      words,
    });
  }
  return { utterances, language };
}

/** A whole track as samples from -1 to 1. */
export async function samplesOfTrack(path: string, durationMs: number): Promise<Float32Array> {
  const track = new Float32Array(Math.ceil(durationMs * samplesPerMs));
  let at = 0;
  for await (const block of readWav(path)) {
    const samples = toFloat(block).subarray(0, track.length - at);
    track.set(samples, at);
    at += samples.length;
  }
  return track;
}

async function findSpeechBy(vad: Vad, path: string, onProgress: () => void): Promise<SpeechRegion[]> {
  const regions: SpeechRegion[] = [];
  const take = (): void => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false);
      const startMs = Math.max(0, Math.round(start / samplesPerMs));
      regions.push({ startMs, endMs: startMs + Math.round(samples.length / samplesPerMs) });
    }
  };
  vad.reset();
  let rest = new Float32Array(0);
  for await (const block of readWav(path)) {
    const samples = concat(rest, toFloat(block));
    let at = 0;
    for (; at + vadWindowSamples <= samples.length; at += vadWindowSamples) {
      vad.acceptWaveform(samples.subarray(at, at + vadWindowSamples));
      take();
    }
    rest = samples.slice(at);
    onProgress();
  }
  vad.flush();
  take();
  return regions;
}

async function samplesOf(path: string, { fromMs, toMs }: PlannedUtterance): Promise<Float32Array> {
  const from = Math.round(fromMs * samplesPerMs);
  return toFloat(await readWavRange(path, from, Math.round(toMs * samplesPerMs) - from));
}

function toFloat(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

function concat(a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** What Whisper writes if it hears no words: `[MUSIC]`, `(applause)`, `♪`, dots. */
function isNoise(text: string): boolean {
  return text.replaceAll(/\[[^\]]*\]|\([^)]*\)|[\s\p{P}\p{S}]/gu, '') === '';
}
