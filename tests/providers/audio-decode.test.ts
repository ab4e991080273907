import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecodedAudio, decodeAudio } from '../../src/providers/audio/decode.ts';
import { type AudioFormat, audioFormats } from '../../src/providers/audio/formats.ts';
import { audioLimits } from '../../src/providers/audio/limits.ts';
import { probeAudio } from '../../src/providers/audio/probe.ts';
import { ProgramMissingError, runChild } from '../../src/lib/child.ts';
import { findSpeech, joinRegions, measureLevels } from '../../src/providers/audio/voice-activity.ts';
import { WavWriter } from '../../src/providers/audio/wav-file.ts';
import { record, type SpokenLine } from '../support/voices.ts';

let folder = '';
const lines: SpokenLine[] = [
  { channel: 1, voice: 'slt', text: 'thank you for calling how may i help you today' },
  { channel: 0, voice: 'rms', text: 'i would like to know the balance of my account' },
  { channel: 1, voice: 'slt', text: 'your current balance is two hundred dollars' },
];
const files = new Map<AudioFormat, string>();
let durationMs = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audio-'));
  for (const format of audioFormats) {
    const { file, spoken } = await record(folder, { lines, format, sampleRate: 8000 });
    files.set(format, file);
    ({ durationMs } = spoken);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = (format: AudioFormat): string => files.get(format) ?? '';

async function decode(
  file: string,
  format: AudioFormat,
  limits = audioLimits,
  signal?: AbortSignal,
): Promise<DecodedAudio> {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  return decodeAudio({ path: file, format }, { workDir, limits, signal });
}

/** Makes a WAV from the two-party one with an ffmpeg filter, perhaps by way of another codec. */
function filtered(name: string, filter: string, ...encoder: string[]): string {
  const file = path.join(folder, name);
  const result = spawnSync('ffmpeg', ['-v', 'error', '-y', '-i', fileOf('flac'), '-af', filter, ...encoder, file]);
  expect(result.stderr.toString()).toBe('');
  return file;
}

describe('decoding', () => {
  it.each(audioFormats)('gives one 16 kHz voice a channel of a %s', async (format) => {
    const audio = await decode(fileOf(format), format);
    expect(audio).toMatchObject({ channels: 2, sampleRate: 8000, layout: 'separate' });
    expect(audio.voices.map(({ channel, isSilent }) => [channel, isSilent])).toEqual([
      [0, false],
      [1, false],
    ]);
    expect(Math.abs(audio.durationMs - durationMs)).toBeLessThan(150);
    for (const voice of audio.voices) expect((await stat(voice.path)).size).toBe(44 + audio.durationMs * 32);
  });

  it('is the same every time', async () => {
    const read = async (): Promise<Buffer[]> =>
      Promise.all((await decode(fileOf('mp3'), 'mp3')).voices.map((voice) => readFile(voice.path)));
    expect(await read()).toEqual(await read());
  });
});

describe('voices', () => {
  it.each<[string, string, string[]]>([
    ['the same', 'pan=stereo|c0=c0+c1|c1=c0+c1', ['same.wav']],
    ['phase-inverted', 'pan=stereo|c0=c0+c1|c1=-1*c0-1*c1', ['inverted.wav']],
    ['of different gain', 'pan=stereo|c0=c0+c1|c1=0.15*c0+0.15*c1', ['gain.wav']],
    ['delayed by a millisecond', 'pan=stereo|c0=c0+c1|c1=c0+c1,adelay=0|1', ['delayed.wav']],
    [
      'equalised differently',
      'pan=stereo|c0=c0+c1|c1=c0+c1,asplit[a][b];[a]channelsplit=channel_layout=stereo:channels=FL[l];[b]channelsplit=channel_layout=stereo:channels=FR,highpass=f=200[r];[l][r]join=inputs=2',
      ['equalised.wav'],
    ],
    ['joint stereo of a lossy codec', 'pan=stereo|c0=c0+c1|c1=0.9*c0+0.9*c1', ['-b:a', '16k', 'joint.mp3']],
  ])('on two channels are one when they are %s', async (_, filter, encoder) => {
    const name = encoder.at(-1) ?? '';
    const audio = await decode(filtered(name, filter, ...encoder.slice(0, -1)), name.endsWith('mp3') ? 'mp3' : 'wav');
    expect(audio).toMatchObject({ channels: 2, layout: 'mixed' });
    expect(audio.voices).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['an echo of each other', 'pan=stereo|c0=c0+0.1*c1|c1=c1+0.1*c0'],
    ['very different levels', 'pan=stereo|c0=0.03*c0|c1=c1'],
    ['a noisy line', 'aeval=val(0)+0.01*(random(0)-0.5)|val(1)+0.01*(random(1)-0.5)'],
  ])('stay two with %s', async (_, filter) => {
    const audio = await decode(filtered('two.wav', filter), 'wav');
    expect(audio.layout).toBe('separate');
    expect(audio.voices.map(({ isSilent }) => isSilent)).toEqual([false, false]);
  });

  it('are told from a silent channel', async () => {
    const audio = await decode(filtered('silent.wav', 'pan=stereo|c0=0*c0|c1=c0+c1'), 'wav');
    expect(audio.voices.map(({ channel, isSilent }) => [channel, isSilent])).toEqual([
      [0, true],
      [1, false],
    ]);
  });

  it('of one channel are a mix', async () => {
    const audio = await decode(filtered('mono.wav', 'pan=mono|c0=c0+c1'), 'wav');
    expect(audio).toMatchObject({ channels: 1, layout: 'mixed' });
  });
});

describe('what is no sound recording', () => {
  async function written(name: string, content: string | Buffer): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  }

  it.each(audioFormats)('is undecodable as %s', async (format) => {
    await expect(
      decode(await written(`text.${format}`, 'this is no sound '.repeat(500)), format),
    ).rejects.toMatchObject({ code: 'AUDIO_UNDECODABLE', retryable: false });
  });

  it.each(audioFormats)('is empty as %s when it has no bytes', async (format) => {
    await expect(decode(await written(`empty.${format}`, ''), format)).rejects.toMatchObject({
      code: 'AUDIO_EMPTY',
      retryable: false,
    });
  });

  it('is empty when a header stands alone', async () => {
    const writer = await WavWriter.create(path.join(folder, 'header.wav'), 16_000);
    await writer.close();
    await expect(decode(writer.path, 'wav')).rejects.toMatchObject({ code: 'AUDIO_EMPTY', retryable: false });
  });

  it.each(audioFormats)(
    'is refused as %s when it is a playlist that names other files or addresses',
    async (format) => {
      let requests = 0;
      const server = createServer((_, res) => {
        requests += 1;
        res.end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
      const { port } = server.address() as AddressInfo;
      const playlists = [
        `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`,
        `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${fileOf('wav')}\n#EXT-X-ENDLIST\n`,
        `ffconcat version 1.0\nfile '${fileOf('wav')}'\nfile 'http://127.0.0.1:${port}/b.wav'\n`,
        `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`,
      ];
      try {
        for (const [index, playlist] of playlists.entries()) {
          await expect(decode(await written(`playlist-${index}.${format}`, playlist), format)).rejects.toMatchObject({
            code: 'AUDIO_UNDECODABLE',
            retryable: false,
          });
        }
        await expect(decode(`http://127.0.0.1:${port}/c.wav`, format)).rejects.toThrow(/ENOENT/);
      } finally {
        server.close();
      }
      expect(requests).toBe(0);
    },
  );
});

describe('a recording that is cut off', () => {
  it.each(audioFormats)('is told as truncated for %s', async (format) => {
    const bytes = await readFile(fileOf(format));
    const file = path.join(folder, `cut.${format}`);
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * 0.6) + 7));
    await expect(decode(file, format)).rejects.toMatchObject({ code: 'AUDIO_TRUNCATED', retryable: false });
  });

  it('is told for an M4A whose index would have come last', async () => {
    const whole = filtered('index-last.m4a', 'anull');
    const bytes = await readFile(whole);
    const file = path.join(folder, 'index-cut.m4a');
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    await expect(decode(file, 'm4a')).rejects.toMatchObject({ code: 'AUDIO_TRUNCATED' });
  });

  it('is told for an MP3 without a length in its header', async () => {
    const whole = filtered('stream.mp3', 'anull', '-write_xing', '0', '-id3v2_version', '0');
    await expect(decode(whole, 'mp3')).resolves.toMatchObject({ channels: 2 });
    const bytes = await readFile(whole);
    const file = path.join(folder, 'stream-cut.mp3');
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2) + 5));
    await expect(decode(file, 'mp3')).rejects.toMatchObject({ code: 'AUDIO_TRUNCATED' });
  });

  it('is not suspected in a WAV that was streamed and so announces no length', async () => {
    const bytes = await readFile(fileOf('wav'));
    const data = bytes.indexOf('data', 0, 'latin1');
    bytes.writeUInt32LE(0xffffffff, data + 4);
    const file = path.join(folder, 'streamed.wav');
    await writeFile(file, bytes);
    await expect(decode(file, 'wav')).resolves.toMatchObject({ channels: 2 });
  });

  it('is not suspected in an MP3 with a tag at its end', async () => {
    const file = path.join(folder, 'tagged.mp3');
    await writeFile(file, Buffer.concat([await readFile(fileOf('mp3')), Buffer.from('TAG'.padEnd(128, '\0'))]));
    await expect(decode(file, 'mp3')).resolves.toMatchObject({ channels: 2 });
  });
});

describe('limits', () => {
  it('refuse a recording that says it is too long without decoding it', async () => {
    await expect(
      probeAudio({ path: fileOf('flac'), format: 'flac' }, { limits: { ...audioLimits, durationMaxMs: 5000 } }),
    ).rejects.toMatchObject({ code: 'AUDIO_TOO_LONG' });
  });

  it('stop a small file that decodes to hours, with little on the disk and in memory', async () => {
    const bomb = path.join(folder, 'bomb.flac');
    const made = spawnSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=8000:cl=mono',
      '-t',
      '7200',
      '-c:a',
      'flac',
      bomb,
    ]);
    expect(made.stderr.toString()).toBe('');
    const file = await open(bomb, 'r+');
    const stream = Buffer.alloc(8);
    await file.read(stream, 0, 8, 18);
    stream.writeUInt32BE(0, 4);
    stream.writeUInt8(stream.readUInt8(3) & 0xf0, 3);
    await file.write(stream, 0, 8, 18);
    await file.close();
    expect((await stat(bomb)).size).toBeLessThan(2_000_000);
    const workDir = path.join(folder, 'bomb');
    await mkdir(workDir);
    const before = process.memoryUsage().rss;
    const limits = { ...audioLimits, durationMaxMs: 600_000 };
    await expect(decodeAudio({ path: bomb, format: 'flac' }, { workDir, limits })).rejects.toMatchObject({
      code: 'AUDIO_TOO_LONG',
    });
    expect((await stat(path.join(workDir, 'channel-0.wav'))).size).toBeLessThan(25_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  it('end a decoder that takes too long, as a fault that may pass', async () => {
    await expect(
      decode(fileOf('flac'), 'flac', { ...audioLimits, timeoutMsBase: 1, timeoutPerMs: 0 }),
    ).rejects.toMatchObject({
      code: 'AUDIO_TIMEOUT',
      retryable: true,
    });
  });

  it('end the decoder with the signal’s own reason', async () => {
    const stopping = new AbortController();
    const running = decode(fileOf('mp3'), 'mp3', audioLimits, stopping.signal);
    stopping.abort(new Error('shutting down'));
    await expect(running).rejects.toThrow('shutting down');
  });

  it('leave no child behind', async () => {
    const stopping = new AbortController();
    const sleeping = runChild({
      command: 'sleep',
      args: ['41.5'],
      signal: stopping.signal,
      timeoutMs: 60_000,
      memoryBytesMax: 1e9,
    });
    setTimeout(() => stopping.abort(), 100);
    await expect(sleeping).rejects.toThrow(/abort/i);
    expect(await commandLines()).not.toContain('sleep 41.5');
  });

  it.each([undefined, 1_000_000_000])('name a program that is missing', async (memoryBytesMax) => {
    const missing = runChild({ command: 'no-such-program', args: [], timeoutMs: 5000, memoryBytesMax });
    await expect(missing).rejects.toThrow(ProgramMissingError);
  });
});

/** Of every process of this machine. */
async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ').trim());
}

async function talkTimes(audio: DecodedAudio): Promise<number[]> {
  return Promise.all(
    audio.voices.map(async (voice) => {
      const regions = joinRegions(findSpeech(await measureLevels(voice.path)), 400);
      return regions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    }),
  );
}

describe('voice activity', () => {
  it.each([
    ['a clean line', 'anull'],
    ['a quiet line', 'volume=0.03'],
    ['noise', 'aeval=val(0)+0.02*(random(0)-0.5)|val(1)+0.02*(random(1)-0.5)'],
    ['hum', 'aeval=val(0)+0.03*sin(2*PI*50*t)|val(1)+0.03*sin(2*PI*50*t)'],
  ])('finds when each party speaks on %s', async (_, filter) => {
    const audio = await decode(filtered('activity.wav', filter), 'wav');
    const heard = await talkTimes(audio);
    const clean = await talkTimes(await decode(fileOf('flac'), 'flac'));
    for (const [channel, talkMs] of heard.entries())
      expect(Math.abs(talkMs / (clean[channel] ?? 0) - 1)).toBeLessThan(0.1);
  });

  it('finds nothing in silence', async () => {
    const audio = await decode(filtered('nothing.wav', 'volume=0'), 'wav');
    expect(findSpeech(await measureLevels(audio.voices[0]?.path ?? ''))).toEqual([]);
  });
});
