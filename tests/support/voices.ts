import path from 'node:path';
import { speakCall, type SpeakCallInput, type SpokenCall, type SpokenLine, type Voice } from '../../src/demo/speak.ts';
import type { AudioFormat } from '../../src/providers/audio/formats.ts';

export type { SpokenCall, SpokenLine, Voice };

export type Recording = { file: string; format: AudioFormat; spoken: SpokenCall };

/** Speaks a call into a file of a folder. */
export async function record(folder: string, call: Omit<SpeakCallInput, 'path'>): Promise<Recording> {
  const file = path.join(folder, `call-${call.sampleRate}.${call.format}`);
  return { file, format: call.format, spoken: await speakCall({ ...call, path: file }) };
}

/** Words as they are compared: lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9' ]+/g, ' ');
  return plain.split(' ').filter(Boolean);
}

/** Substitutions, insertions and deletions that turn one list of words into the other. */
export function wordErrors(reference: string[], heard: string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, j) => j);
  for (const [i, word] of reference.entries()) {
    const next = [i + 1];
    for (const [j, other] of heard.entries()) {
      const substituted = (row[j] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, substituted));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Speech in a clean 16 kHz track: the frames of 20 ms that are louder than -50 dBFS, gaps up to 200 ms included. */
export function speechMs(track: Int16Array): number {
  const frame = 320;
  let total = 0;
  let lastLoud = Number.NEGATIVE_INFINITY;
  for (let start = 0; start + frame <= track.length; start += frame) {
    const energy = track.subarray(start, start + frame).reduce((sum, sample) => sum + sample * sample, 0) / frame;
    if (10 * Math.log10(energy / 32_768 ** 2 + 1e-12) <= -50) continue;
    const gap = start / frame - lastLoud;
    total += gap <= 10 ? gap * 20 : 20;
    lastLoud = start / frame;
  }
  return total;
}
