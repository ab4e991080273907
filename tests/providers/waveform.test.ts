import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DrawnWaveform } from '../../src/model/waveform.ts';
import { decodeAudio } from '../../src/providers/audio/decode.ts';
import type { AudioFormat } from '../../src/providers/audio/formats.ts';
import { audioLimits } from '../../src/providers/audio/limits.ts';
import { drawWaveform } from '../../src/providers/audio/waveform.ts';

let folder = '';
const signal = new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waveform-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A tone while the expression over the time `t` is not 0; one expression a channel. */
function tone(name: string, envelopes: string[], seconds: number, ...encoder: string[]): string {
  const file = path.join(folder, name);
  const channels = envelopes.map((envelope) => `(${envelope})*sin(2*PI*440*t)`).join('|');
  const source = `aevalsrc='${channels}':s=8000:d=${seconds}`;
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...encoder, file]);
  expect(made.stderr.toString()).toBe('');
  return file;
}

const draw = (file: string, format: AudioFormat = 'wav'): Promise<DrawnWaveform> =>
  drawWaveform({ path: file, format }, { signal });

const levelsOf = ({ levels, points }: DrawnWaveform, channel: number): number[] => [
  ...levels.subarray(channel * points, (channel + 1) * points),
];

describe('a waveform', () => {
  it('has a point for 50 ms of each channel, as loud as the channel is then', async () => {
    const drawn = await draw(tone('talk.wav', ['0.8*lt(t,1)', '0.4*between(t,1,2)*(1-0.5*gt(t,1.5))'], 3));
    expect(drawn).toMatchObject({ durationMs: 3000, points: 60, channels: [0, 1] });
    expect(drawn.levels).toHaveLength(120);
    const [left, right] = [levelsOf(drawn, 0), levelsOf(drawn, 1)];
    expect(left.slice(0, 20).every((level) => level > 250)).toBe(true);
    expect(left.slice(21).every((level) => level < 3)).toBe(true);
    // Relative to the loudest of its own channel.
    expect(right.slice(21, 29).every((level) => level > 250)).toBe(true);
    expect(right.slice(32, 39).every((level) => level > 120 && level < 135)).toBe(true);
    expect(right.slice(0, 19).every((level) => level < 3)).toBe(true);
  });

  it('is the same one when the recording is transcribed', async () => {
    const file = tone('same.wav', ['0.8*lt(t,1)', '0.3*gt(t,1.2)'], 2);
    const workDir = await mkdtemp(path.join(folder, 'work-'));
    const { waveform } = await decodeAudio({ path: file, format: 'wav' }, { workDir });
    const drawn = await draw(file);
    expect(waveform).toMatchObject({ durationMs: drawn.durationMs, points: drawn.points, channels: drawn.channels });
    const differences = [...waveform.levels].map((level, point) => Math.abs(level - (drawn.levels[point] ?? 0)));
    expect(Math.max(...differences)).toBeLessThan(12);
  });

  it('leaves out channels that repeat another one', async () => {
    const envelope = '0.5*(0.5+0.5*sin(3*t))';
    const drawn = await draw(tone('fake.wav', [envelope, `0.5*${envelope}`], 4));
    expect(drawn).toMatchObject({ channels: [0], points: 80 });
    expect(drawn.levels).toHaveLength(80);
  });

  it('keeps to 4,000 points however long the call is', async () => {
    const drawn = await draw(tone('long.flac', ['0.5*lt(mod(t,100),50)'], 300), 'flac');
    expect(drawn).toMatchObject({ durationMs: 300_000, points: 4000 });
    const levels = levelsOf(drawn, 0);
    const around = (second: number): number => levels[Math.floor((second / 300) * 4000)] ?? -1;
    expect([25, 125, 225].map(around).every((level) => level > 250)).toBe(true);
    expect([75, 175, 275].map(around)).toEqual([0, 0, 0]);
  });

  it('has one point where there is hardly anything', async () => {
    expect(await draw(tone('short.wav', ['0.5'], 0.02))).toMatchObject({ points: 1, channels: [0], durationMs: 20 });
  });

  it('draws silence as silence, and faint noise as faint', async () => {
    const silent = await draw(tone('silent.wav', ['0', '0.0005'], 2));
    expect(levelsOf(silent, 0).every((level) => level === 0)).toBe(true);
    expect(levelsOf(silent, 1).every((level) => level < 32)).toBe(true);
  });

  it('does not make speech small for a click', async () => {
    const drawn = await draw(tone('click.wav', ['0.2+0.79*between(t,5,5.05)'], 30));
    expect(levelsOf(drawn, 0).filter((level) => level > 240).length).toBeGreaterThan(590);
  });

  it('is not made of what is no recording, or too long', async () => {
    const file = tone('known.wav', ['0.5'], 5);
    await expect(draw(file, 'flac')).rejects.toMatchObject({ code: 'AUDIO_UNDECODABLE' });
    const limits = { ...audioLimits, durationMaxMs: 1000 };
    await expect(drawWaveform({ path: file, format: 'wav' }, { signal, limits })).rejects.toMatchObject({
      code: 'AUDIO_TOO_LONG',
    });
  });
});
