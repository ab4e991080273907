import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audioFormats, type AudioFormat } from '../../src/providers/audio/formats.ts';
import { joinStretches } from '../../src/model/stretches.ts';
import { muteAudio } from '../../src/providers/audio/mute.ts';
import { probeAudio } from '../../src/providers/audio/probe.ts';
import { createSniffer } from '../../src/providers/audio/sniff.ts';
import { levelsOf } from '../support/loudness.ts';

const stretches = [
  { startMs: 2000, endMs: 3000 },
  { startMs: 5500, endMs: 5600 },
];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mute-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;

/** Eight seconds of two tones, one a channel, in telephone quality. */
function tone(format: AudioFormat, ...encoder: string[]): string {
  const file = path.join(folder, `tone${encoder.join('')}.${format}`);
  const source = 'aevalsrc=0.5*sin(440*2*PI*t)|0.5*sin(600*2*PI*t):s=8000:d=8';
  const input = ['-v', 'error', '-y', '-f', 'lavfi', '-i', source];
  const made = spawnSync('ffmpeg', [...input, '-metadata', 'title=4111111111111111', ...encoder, file]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  return file;
}

async function muted(file: string, format: AudioFormat): Promise<string> {
  const to = path.join(folder, `muted-${path.basename(file)}`);
  const { sampleRate, durationMs } = await probeAudio({ path: file, format });
  await muteAudio({ source: { path: file, format }, stretches, sampleRate, durationMs, to, signal });
  return to;
}

describe.each(audioFormats)('a muted %s', (format) => {
  it('is silent on every channel where it has to be, and sounds as before everywhere else', async () => {
    const to = await muted(tone(format), format);
    const channels = levelsOf(to);
    expect(channels).toHaveLength(2);
    for (const level of channels) {
      expect(level(2000, 3000)).toBeLessThan(0.001);
      expect(level(5500, 5600)).toBeLessThan(0.001);
      for (const [from, to] of [
        [100, 1700],
        [3300, 5200],
        [5900, 7900],
      ] as const) {
        expect(level(from, to)).toBeGreaterThan(0.25);
      }
    }
  });

  it('is of the same format, as long as the recording, and has none of its tags', async () => {
    const to = await muted(tone(format), format);
    const probe = await probeAudio({ path: to, format });
    expect(Math.abs(probe.durationMs - 8000)).toBeLessThan(300);
    expect(probe.channels).toBe(2);
    const bytes = await readFile(to);
    expect(bytes.includes('4111111111111111')).toBe(false);
    const sniffer = createSniffer();
    sniffer.push(bytes);
    expect(sniffer.end()?.format).toBe(format);
  });
});

describe('muting', () => {
  it.each([
    ['wav', '-c:a', 'pcm_mulaw'],
    ['ogg', '-c:a', 'libopus'],
  ] as const)('reads other codecs in %s as well', async (format, ...encoder) => {
    const [level] = levelsOf(await muted(tone(format, ...encoder), format));
    expect(level?.(2000, 3000)).toBeLessThan(0.001);
    expect(level?.(3300, 5200)).toBeGreaterThan(0.25);
  });

  it('refuses what cannot be decoded and leaves nothing to play', async () => {
    const file = path.join(folder, 'broken.mp3');
    await writeFile(file, Buffer.alloc(5000, 1));
    const to = path.join(folder, 'never.mp3');
    await expect(
      muteAudio({ source: { path: file, format: 'mp3' }, stretches, sampleRate: 8000, durationMs: 0, to, signal }),
    ).rejects.toMatchObject({ code: 'AUDIO_UNDECODABLE' });
  });

  it('covers every stretch however many there are, with few words to the filter', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ startMs: index * 700, endMs: index * 700 + 50 }));
    const joined = joinStretches(many);
    expect(joined.length).toBeLessThanOrEqual(1000);
    for (const { startMs, endMs } of many.slice(0, 500)) {
      expect(joined.some((each) => each.startMs <= startMs && endMs <= each.endMs)).toBe(true);
    }
  });
});
