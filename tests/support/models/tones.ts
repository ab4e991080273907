import { WavWriter } from '../../../src/providers/audio/wav-file.ts';
import type { DecodedAudio } from '../../../src/providers/audio/decode.ts';
import path from 'node:path';

/** A tone that stands for (a part of) a word, in milliseconds of the recording. */
export type Tone = { hz: number; startMs: number; endMs: number; level?: number };

const sampleRate = 16_000;
const levelDefault = 0.3;

/** Writes one track of tones over faint noise, as decoded recordings lie on the disk. */
export async function writeTones(file: string, durationMs: number, tones: Tone[]): Promise<void> {
  const samples = new Int16Array((durationMs * sampleRate) / 1000);
  for (let index = 0; index < samples.length; index += 1) samples[index] = (index * 7919) % 5;
  for (const { hz, startMs, endMs, level = levelDefault } of tones) {
    const end = (endMs * sampleRate) / 1000;
    for (let index = (startMs * sampleRate) / 1000; index < end; index += 1) {
      samples[index] = Math.round(level * 32_000 * Math.sin((2 * Math.PI * hz * index) / sampleRate));
    }
  }
  const writer = await WavWriter.create(file, sampleRate);
  await writer.write(samples);
  await writer.close();
}

/** A decoded recording with one voice of tones for each track. */
export async function toneRecording(folder: string, durationMs: number, tracks: Tone[][]): Promise<DecodedAudio> {
  const voices = [];
  for (const [channel, tones] of tracks.entries()) {
    const file = path.join(folder, `track-${channel}.wav`);
    await writeTones(file, durationMs, tones);
    voices.push({ channel, path: file, peakDb: -10, isSilent: tones.length === 0 });
  }
  const layout = tracks.length > 1 ? 'separate' : 'mixed';
  return { durationMs, missingMs: 0, channels: tracks.length, sampleRate, codec: 'pcm_s16le', layout, voices };
}
