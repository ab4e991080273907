import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AudioFormat } from '../../src/providers/audio/formats.ts';
import { quickProbe } from '../../src/providers/audio/quick-probe.ts';
import { createSniffer, sniffAudio } from '../../src/providers/audio/sniff.ts';

const run = promisify(execFile);

/** Name of the made file, its format, and what makes ffmpeg write it. */
const recipes: [name: string, format: AudioFormat, options: string][] = [
  ['pcm.wav', 'wav', '-c:a pcm_s16le'],
  ['mulaw.wav', 'wav', '-c:a pcm_mulaw -ar 8000'],
  ['adpcm.wav', 'wav', '-c:a adpcm_ms'],
  ['rf64.wav', 'wav', '-c:a pcm_s16le -rf64 always'],
  ['cbr.mp3', 'mp3', '-c:a libmp3lame -b:a 32k'],
  ['vbr.mp3', 'mp3', '-c:a libmp3lame -q:a 5 -ar 44100'],
  ['bare.mp3', 'mp3', '-c:a libmp3lame -b:a 32k -write_xing 0 -id3v2_version 0'],
  ['low.mp3', 'mp3', '-c:a libmp3lame -b:a 8k -ar 8000'],
  ['vorbis.ogg', 'ogg', '-c:a libvorbis'],
  ['opus.ogg', 'ogg', '-c:a libopus'],
  ['speex.ogg', 'ogg', '-c:a libspeex'],
  ['pcm.flac', 'flac', '-c:a flac'],
  ['small-blocks.flac', 'flac', '-c:a flac -frame_size 192'],
  ['end-index.m4a', 'm4a', '-c:a aac'],
  ['fast.m4a', 'm4a', '-c:a aac -movflags +faststart'],
  ['fragments.m4a', 'm4a', '-c:a aac -movflags +frag_keyframe+empty_moov'],
  ['plain.mp4', 'm4a', '-c:a aac'],
];

const others: [name: string, options: string][] = [
  ['x.aiff', '-c:a pcm_s16be'],
  ['x.au', '-c:a pcm_mulaw'],
  ['x.aac', '-c:a aac -f adts'],
  ['x.mp2', '-c:a mp2'],
  ['x.amr', '-c:a pcm_s16le -f s16le'],
  ['x.mka', '-c:a libopus'],
  ['x.webm', '-c:a libopus'],
  ['x.wma', '-c:a wmav2'],
  ['x.caf', '-c:a pcm_s16le'],
  ['x.mov', '-c:a aac'],
  ['x.ts', '-c:a aac'],
  ['x.avi', '-c:a pcm_s16le'],
];

let directory: string;
const path = (name: string) => join(directory, name);

async function make(name: string, options: string, seconds = 2): Promise<void> {
  const input = `-v error -y -f lavfi -i sine=frequency=440:duration=${seconds}:sample_rate=16000`;
  await run('ffmpeg', [...input.split(' '), ...options.split(' '), path(name)]);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sniff-'));
  await Promise.all([
    ...recipes.map(([name, , options]) => make(name, options)),
    ...others.map((other) => make(...other)),
  ]);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

const id3 = (sizeBytes: number, version = 3) =>
  Buffer.concat([
    Buffer.from(['I', 'D', '3'].map((letter) => letter.charCodeAt(0))),
    Buffer.from([version, 0, 0, ...[21, 14, 7, 0].map((shift) => (sizeBytes >> shift) & 0x7f)]),
    Buffer.alloc(sizeBytes),
  ]);

function sniffInPieces(bytes: Buffer, pieceSizeBytes: number) {
  const sniffer = createSniffer();
  for (let at = 0; at < bytes.length; at += pieceSizeBytes) sniffer.push(bytes.subarray(at, at + pieceSizeBytes));
  return sniffer.end();
}

describe('sniffAudio', () => {
  it.each(recipes)('knows %s as %s', async (name, format) => {
    const bytes = await readFile(path(name));
    const contentType = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', flac: 'audio/flac', m4a: 'audio/mp4' }[
      format
    ];
    expect(sniffAudio(bytes)).toEqual({ format, contentType });
    for (const size of [1, 7, 4096]) expect(sniffInPieces(bytes.subarray(0, 20_000), size)?.format).toBe(format);
  });

  it.each(others)('does not take %s for one of the five formats', async (name) => {
    expect(sniffAudio(await readFile(path(name)))).toBeNull();
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(100_000)],
    ['text', Buffer.from('Dear customer, this is not a recording. '.repeat(3000))],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\nhttp://127.0.0.1/x.ts\n')],
    ['a concat list', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
    ['a session description', Buffer.from('v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n')],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Buffer.alloc(500)])],
    ['a JPEG, which begins like a frame of MP3', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.alloc(5000)])],
    ['text with a byte order mark like a sync code', Buffer.from(`\uFEFF${'text '.repeat(500)}`, 'utf16le')],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['RIFF of another kind', Buffer.concat([Buffer.from('RIFF\x10\0\0\0AVI LIST'), Buffer.alloc(500)])],
    ['an Ogg page without sound', Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x08\x80theora.`, 'latin1')],
    ['a HEIC picture', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['an AVIF picture with a broad brand', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0mif1isom', 'latin1')],
    ['a single sync code', Buffer.from([0xff, 0xfb, 0x90, 0x00, ...Buffer.alloc(5000)])],
    ['an ID3 tag and nothing else', id3(5000)],
    ['an ID3 tag with text behind it', Buffer.concat([id3(300), Buffer.from('text '.repeat(1000))])],
    ['an endless row of ID3 tags', Buffer.concat(Array.from({ length: 2000 }, () => id3(40)))],
    ['noise', createHash('shake256', { outputLength: 100_000 }).update('noise').digest()],
  ])('refuses %s', (_what, bytes) => {
    expect(sniffAudio(bytes)).toBeNull();
    expect(sniffInPieces(bytes, 1000)).toBeNull();
  });

  it('looks behind ID3 tags of any size, for MP3 and FLAC', async () => {
    const frames = await readFile(path('bare.mp3'));
    const flac = await readFile(path('pcm.flac'));
    for (const tag of [id3(0), id3(300), id3(65_526), id3(700_000, 4), Buffer.concat([id3(100), id3(200_000)])]) {
      expect(sniffInPieces(Buffer.concat([tag, frames]), 65_536)?.format).toBe('mp3');
      expect(sniffInPieces(Buffer.concat([tag, flac]), 65_536)?.format).toBe('flac');
    }
  });

  it('finds MP3 frames behind a little rubbish, as a tapped stream begins', async () => {
    const frames = await readFile(path('bare.mp3'));
    expect(sniffAudio(frames.subarray(77))?.format).toBe('mp3');
    expect(sniffAudio(Buffer.concat([Buffer.from('rubbish'), frames]))?.format).toBe('mp3');
    expect(sniffAudio(Buffer.concat([Buffer.alloc(5000), frames]))).toBeNull();
  });

  it('judges a file of two kinds by the header that its decoder is pointed at', async () => {
    const [wav, mp3] = await Promise.all([readFile(path('pcm.wav')), readFile(path('bare.mp3'))]);
    expect(sniffAudio(Buffer.concat([wav.subarray(0, 44), mp3]))?.format).toBe('wav');
    expect(sniffAudio(Buffer.concat([mp3, wav]))?.format).toBe('mp3');
    expect(sniffAudio(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4096), mp3]))).toBeNull();
  });

  it('gives its verdict after 64 KB at the latest and keeps it', () => {
    const sniffer = createSniffer();
    const text = Buffer.from('text'.repeat(4096));
    expect([1, 2, 3].map(() => sniffer.push(text))).toEqual([undefined, undefined, undefined]);
    expect(sniffer.push(text)).toBeNull();
    expect(sniffer.push(Buffer.from('fLaC'))).toBeNull();
    expect(sniffer.end()).toBeNull();
  });
});

describe('quickProbe', () => {
  it('says nothing of an RF64 file, which needs more than a header', async () => {
    const probed = await quickProbe({ path: path('rf64.wav'), format: 'wav' });
    expect(probed).toEqual({ durationMs: null, channels: null, defect: null });
  });

  it.each(recipes.filter(([name]) => name !== 'rf64.wav'))('tells how long %s is', async (name, format) => {
    const { durationMs, channels, defect } = await quickProbe({ path: path(name), format });
    expect(defect).toBeNull();
    expect(durationMs).toBeGreaterThanOrEqual(1990);
    expect(durationMs).toBeLessThan(2250);
    expect(channels).toBeGreaterThanOrEqual(1);
  });

  it.each(recipes.filter(([name]) => name !== 'rf64.wav'))(
    'sees that %s is cut off, wherever it was cut',
    async (name, format) => {
      const bytes = await readFile(path(name));
      for (const part of [0.35, 0.6, 0.8, 0.93]) {
        await writeFile(path('cut'), bytes.subarray(0, Math.round(bytes.length * part)));
        const { defect } = await quickProbe({ path: path('cut'), format });
        expect(`cut at ${part}: ${defect}`).toContain('cut off');
      }
    },
  );

  it.each<[string, AudioFormat, string]>([
    ['empty.wav', 'wav', '-c:a pcm_s16le'],
    ['empty.flac', 'flac', '-c:a flac'],
    ['empty.m4a', 'm4a', '-c:a aac'],
    ['empty.ogg', 'ogg', '-c:a libvorbis'],
  ])('sees that %s holds no sound', async (name, format, options) => {
    await make(name, `-t 0 ${options}`);
    expect((await quickProbe({ path: path(name), format })).defect).toBe('The recording contains no sound.');
  });

  it('sees that a file is empty', async () => {
    await writeFile(path('empty'), '');
    expect((await quickProbe({ path: path('empty'), format: 'wav' })).defect).toBe('The recording is an empty file.');
  });

  it('takes a WAV that was written to a pipe, whose sizes are placeholders', async () => {
    const bytes = await readFile(path('pcm.wav'));
    const at = bytes.indexOf('data') + 4;
    for (const size of [0xffffffff, 0]) {
      bytes.writeUInt32LE(size, at);
      await writeFile(path('piped.wav'), bytes);
      expect((await quickProbe({ path: path('piped.wav'), format: 'wav' })).defect).toBeNull();
    }
  });

  it('takes recordings with tags and rubbish behind their sound', async () => {
    for (const [name, format] of recipes) {
      if (format === 'ogg') continue;
      const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'x')]);
      await writeFile(path('tagged'), Buffer.concat([await readFile(path(name)), tag]));
      const { defect } = await quickProbe({ path: path('tagged'), format });
      expect({ name, defect }).toEqual({ name, defect: null });
    }
  });

  it.each<[string, AudioFormat, Buffer]>([
    ['an ID3 tag of 250 MB', 'mp3', id3(0).fill(0x7f, 6, 10)],
    ['a FLAC comment of 16 MB', 'flac', Buffer.from('fLaC\0\0\0\x22\x04\x80\x04\x80', 'latin1')],
    ['a WAV list of 4 GB', 'wav', Buffer.from('RIFF\xff\xff\xff\x7fWAVELIST\xff\xff\xff\xff', 'latin1')],
    [
      'an index of 100 million entries',
      'm4a',
      Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0\x05\0\0\0moov\x04\0\0\0trak', 'latin1'),
    ],
  ])('does not take %s into memory', async (_what, format, head) => {
    await writeFile(path('hostile'), head);
    await truncate(path('hostile'), 500_000_000);
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    await quickProbe({ path: path('hostile'), format });
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });
});
