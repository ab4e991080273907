import { spawnSync } from 'node:child_process';

/** Root mean square of the samples between two times (milliseconds), where full scale is 1. */
export type Level = (fromMs: number, toMs: number) => number;

const sampleRate = 8000;

/** Decodes a recording with ffmpeg and measures it: one function a channel. */
export function levelsOf(file: string): Level[] {
  const args = ['-v', 'error', '-i', file, '-ar', String(sampleRate), '-f', 's16le', '-'];
  const decoded = spawnSync('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
  if (decoded.status !== 0) throw new Error(decoded.stderr.toString());
  const probe = spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=channels', '-of', 'csv=p=0', file]);
  const channels = Number.parseInt(probe.stdout.toString(), 10);
  const samples = new Int16Array(decoded.stdout.buffer, decoded.stdout.byteOffset, decoded.stdout.byteLength >> 1);
  return Array.from({ length: channels }, (_, channel) => (fromMs: number, toMs: number) => {
    const from = Math.round((fromMs * sampleRate) / 1000);
    const to = Math.round((toMs * sampleRate) / 1000);
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += ((samples[at * channels + channel] ?? 0) / 32_768) ** 2;
    return Math.sqrt(sum / (to - from));
  });
}
