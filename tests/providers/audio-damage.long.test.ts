import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecodedAudio, decodeAudio } from '../../src/providers/audio/decode.ts';
import type { AudioFormat } from '../../src/providers/audio/formats.ts';
import { muteAudio } from '../../src/providers/audio/mute.ts';
import { quickProbe } from '../../src/providers/audio/quick-probe.ts';
import { measureLevels } from '../../src/providers/audio/voice-activity.ts';
import { drawWaveform } from '../../src/providers/audio/waveform.ts';
import { flipBytes, overwrite } from '../support/damage.ts';
import { record, type SpokenLine } from '../support/voices.ts';

type Variant = [name: string, format: AudioFormat, encoder: readonly string[], lostAtMost: number];
/** A flipped byte takes a frame along in AAC and FLAC, now and then in MP3; Ogg loses next to nothing. */
const variants: Variant[] = [
  ['wav', 'wav', ['-c:a', 'pcm_s16le'], 0.01],
  ['mp3', 'mp3', ['-c:a', 'libmp3lame'], 0.15],
  ['ogg', 'ogg', ['-c:a', 'libvorbis'], 0.05],
  ['ogg with Opus', 'ogg', ['-c:a', 'libopus', '-b:a', '24k'], 0.05],
  ['flac', 'flac', ['-c:a', 'flac'], 0.3],
  ['m4a', 'm4a', ['-c:a', 'aac', '-b:a', '24k'], 0.5],
];
const seconds = 36;
const durationMs = seconds * 1000;
const sounds = new Map<string, Buffer>();
let folder = '';
const lines: SpokenLine[] = [
  { channel: 1, voice: 'slt', text: 'thank you for calling how may i help you today' },
  { channel: 0, voice: 'rms', text: 'i would like to know the balance of my account' },
];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'damage-'));
  const { file } = await record(folder, { lines, format: 'wav', sampleRate: 8000 });
  for (const [name, format, encoder] of variants) {
    const to = path.join(folder, `${name.replaceAll(' ', '-')}.${format}`);
    const loop = ['-stream_loop', '-1', '-i', file, '-t', String(seconds), '-ac', '1'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...loop, '-ar', '8000', ...encoder, to]);
    sounds.set(name, await readFile(to));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const soundOf = (name: string): Buffer => sounds.get(name) ?? Buffer.alloc(0);

async function written(bytes: Buffer, format: AudioFormat): Promise<{ path: string; format: AudioFormat }> {
  const file = path.join(await mkdtemp(path.join(folder, 'damaged-')), `call.${format}`);
  await writeFile(file, bytes);
  return { path: file, format };
}

async function decode(bytes: Buffer, format: AudioFormat): Promise<DecodedAudio> {
  const source = await written(bytes, format);
  return decodeAudio(source, { workDir: path.dirname(source.path) });
}

/** The part of the 10 ms from `fromMs` on in which two tracks are about as loud. */
async function likeness(one: DecodedAudio, other: DecodedAudio, fromMs: number): Promise<number> {
  const [a, b] = await Promise.all([one, other].map(({ voices }) => measureLevels(voices[0]?.path ?? '')));
  const levels = [...(a ?? [])].map((level, index) => Math.abs(level - (b?.[index] ?? 0))).slice(fromMs / 10);
  return levels.filter((difference) => difference < 6).length / levels.length;
}

describe.each(variants)('a recording in %s', (name, format, _encoder, lostAtMost) => {
  it('with flipped bytes, 3 of 1000, is decoded as far as it goes', async () => {
    const source = await written(flipBytes(soundOf(name), { format, share: 0.003, seed: 1 }), format);
    expect((await quickProbe(source)).defect).toBeNull();
    const audio = await decodeAudio(source, { workDir: path.dirname(source.path) });
    expect(Math.abs(audio.durationMs - durationMs)).toBeLessThan(1000);
    expect(audio.missingMs).toBeLessThan(durationMs * lostAtMost);
  });

  it('lacks nothing as it is, and with a tenth of it overwritten that much, with what follows in its place', async () => {
    const whole = await decode(soundOf(name), format);
    expect(whole.missingMs).toBe(0);
    const audio = await decode(overwrite(soundOf(name), { format, start: 0.4, end: 0.5, seed: 7 }), format);
    expect(Math.abs(audio.durationMs - durationMs)).toBeLessThan(1000);
    // Any bytes are samples in a WAV, and an MP3 has no clock.
    const lostMs = format === 'wav' ? 0 : durationMs / 10;
    expect(Math.abs(audio.missingMs - lostMs)).toBeLessThan(2000);
    const alike = await likeness(whole, audio, durationMs * 0.55);
    expect(alike).toBeGreaterThan(format === 'mp3' ? 0 : 0.9);
  });
});

describe('an Ogg file that is damaged anywhere, in its headers too,', () => {
  it.each([
    ['as usual', ['-ar', '8000', '-ac', '1']],
    ['of another quality, stereo', ['-ar', '16000', '-ac', '2', '-q:a', '5']],
    ['by its bit rate', ['-ar', '44100', '-ac', '2', '-b:a', '64k']],
  ])('is read all the same, with headers of an encoder of the same settings (%s)', async (_, settings) => {
    const from = await written(soundOf('wav'), 'wav');
    const to = path.join(path.dirname(from.path), 'whole.ogg');
    execFileSync('ffmpeg', ['-v', 'error', '-i', from.path, ...settings, '-c:a', 'libvorbis', to]);
    const bytes = await readFile(to);
    const whole = await decode(bytes, 'ogg');
    const audio = await decode(flipBytes(bytes, { format: 'ogg', share: 0.003, seed: 1, isAnywhere: true }), 'ogg');
    expect(Math.abs(audio.durationMs - durationMs)).toBeLessThan(500);
    expect(audio.missingMs).toBeLessThan(durationMs * 0.05);
    expect(await likeness(whole, audio, 0)).toBeGreaterThan(0.7);
  });
});

describe('a damaged recording', () => {
  const damaged = (format: AudioFormat) => overwrite(soundOf(format), { format, start: 0.4, end: 0.5, seed: 7 });

  it.each(['ogg', 'flac'] as const)('is muted by the clock that it is transcribed by (%s)', async (format) => {
    const source = await written(damaged(format), format);
    const heard = await decode(damaged(format), format);
    const to = path.join(path.dirname(source.path), `muted.${format}`);
    const stretches = [{ startMs: 25_000, endMs: 30_000 }];
    const { sampleRate } = heard;
    await muteAudio({ source, stretches, sampleRate, durationMs, to, signal: AbortSignal.timeout(60_000) });
    const muted = await decode(await readFile(to), format);
    expect(muted.missingMs).toBe(0);
    const levels = await measureLevels(muted.voices[0]?.path ?? '');
    expect(Math.max(...levels.slice(2500, 3000))).toBeLessThan(-80);
    expect(await likeness(heard, muted, 31_000)).toBeGreaterThan(0.9);
  });

  it('is drawn with what is missing of it', async () => {
    const drawn = await drawWaveform(await written(damaged('flac'), 'flac'), { signal: AbortSignal.timeout(60_000) });
    expect(Math.abs(drawn.durationMs - durationMs)).toBeLessThan(1000);
    expect(Math.abs(drawn.missingMs - durationMs / 10)).toBeLessThan(1000);
  });

  it.each(['ogg', 'flac', 'm4a'] as const)(
    'is refused for good where hardly any of it is left (%s)',
    async (format) => {
      const bytes = overwrite(soundOf(format), { format, start: 0.05, end: 0.98, seed: 7 });
      const code = expect.stringMatching(/^AUDIO_(DAMAGED|UNDECODABLE|TRUNCATED)$/);
      await expect(decode(bytes, format)).rejects.toMatchObject({ code, retryable: false });
    },
  );
});
