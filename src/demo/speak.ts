import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../lib/child.ts';
import type { AudioFormat } from '../providers/audio/formats.ts';

/** Voices that ship with flite: one female, three male. */
export type Voice = 'slt' | 'rms' | 'awb' | 'kal16';

export type SpokenLine = {
  channel: number;
  voice: Voice;
  text: string;
  /** When the line starts; by default, after the previous one. */
  startMs?: number | undefined;
  /** Pause before a line that follows the previous one. */
  pauseMs?: number | undefined;
};

export type SpeakCallInput = {
  lines: SpokenLine[];
  path: string;
  format: AudioFormat;
  /** Hz; a telephone line has 8000. */
  sampleRate: number;
  /** `separate` (the default): a channel for each party. `mixed`: both on one. */
  layout?: 'separate' | 'mixed';
  signal?: AbortSignal | undefined;
};

export type PlacedLine = { channel: number; text: string; startMs: number; endMs: number };

export type SpokenCall = {
  durationMs: number;
  /** The lines with their real times: none overlaps the next one of its channel. */
  lines: PlacedLine[];
  /** 16 kHz samples of each channel before encoding. */
  tracks: Int16Array[];
};

const speechRate = 16_000;
const pauseMsDefault = 600;
const sameChannelGapMs = 120;
const tailMs = 400;
const toolMs = 60_000;

/** Speaks a call with `flite` and encodes it with `ffmpeg`. Throws `ProgramMissingError` if either is missing. */
export async function speakCall(input: SpeakCallInput): Promise<SpokenCall> {
  const folder = await mkdtemp(join(tmpdir(), 'speak-'));
  try {
    const spoken = await speakLines(input.lines, folder, input.signal);
    const lines = place(input.lines, spoken);
    const tracks = mix(lines, spoken);
    await encode(input, input.layout === 'mixed' ? [sum(tracks)] : tracks);
    return { durationMs: Math.round(((tracks[0]?.length ?? 0) * 1000) / speechRate), lines, tracks };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The speakable text of a transcript, without markers such as `[noise]` and `<unk>`. */
export function speakable(text: string): string {
  return text
    .replaceAll(/\[[^\]]*\]|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

async function speakLines(lines: SpokenLine[], folder: string, signal?: AbortSignal): Promise<Int16Array[]> {
  const spoken: Int16Array[] = [];
  for (const [index, line] of lines.entries()) {
    const text = speakable(line.text);
    const path = join(folder, `${index}.wav`);
    if (!/\w/.test(text)) spoken.push(new Int16Array(0));
    else {
      const args = ['-voice', line.voice, '-t', text, '-o', path];
      const result = await runChild({ command: 'flite', args, signal, timeoutMs: toolMs });
      if (result.code !== 0) throw new Error(`flite ended with ${result.code}: ${result.stderr}`);
      spoken.push(await readSpeech(path));
      await rm(path);
    }
  }
  return spoken;
}

/** Samples of a WAV file by flite: 16 kHz mono, with a header of always 44 bytes. */
async function readSpeech(path: string): Promise<Int16Array> {
  const bytes = await readFile(path);
  const sampleRate = bytes.readUInt32LE(24);
  if (sampleRate !== speechRate) throw new Error(`flite spoke at ${sampleRate} Hz instead of ${speechRate} Hz`);
  return Int16Array.from({ length: (bytes.length - 44) >> 1 }, (_, i) => bytes.readInt16LE(44 + i * 2));
}

function place(lines: SpokenLine[], spoken: Int16Array[]): PlacedLine[] {
  const channelEndMs = new Map<number, number>();
  let lastEndMs = 0;
  return lines.map((line, index) => {
    const lengthMs = ((spoken[index]?.length ?? 0) * 1000) / speechRate;
    const wantedMs = line.startMs ?? lastEndMs + (line.pauseMs ?? (index === 0 ? sameChannelGapMs : pauseMsDefault));
    const freeMs = channelEndMs.has(line.channel) ? (channelEndMs.get(line.channel) ?? 0) + sameChannelGapMs : 0;
    const startMs = Math.round(lengthMs > 0 ? Math.max(wantedMs, freeMs) : wantedMs);
    const endMs = Math.round(startMs + lengthMs);
    if (lengthMs > 0) channelEndMs.set(line.channel, endMs);
    lastEndMs = Math.max(lastEndMs, endMs);
    return { channel: line.channel, text: speakable(line.text), startMs, endMs };
  });
}

function mix(lines: PlacedLine[], spoken: Int16Array[]): Int16Array[] {
  const channels = Math.max(2, ...lines.map((line) => line.channel + 1));
  const endMs = Math.max(0, ...lines.map((line) => line.endMs)) + tailMs;
  const tracks = Array.from({ length: channels }, () => new Int16Array(Math.round((endMs * speechRate) / 1000)));
  for (const [index, line] of lines.entries()) {
    tracks[line.channel]?.set(spoken[index] ?? [], Math.round((line.startMs * speechRate) / 1000));
  }
  return tracks;
}

function sum(tracks: Int16Array[]): Int16Array {
  return Int16Array.from({ length: tracks[0]?.length ?? 0 }, (_, i) => {
    const total = tracks.reduce((value, track) => value + (track[i] ?? 0), 0);
    return Math.max(-32_768, Math.min(32_767, total));
  });
}

const encoders: Record<AudioFormat, string[]> = {
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
  ogg: ['-c:a', 'libvorbis', '-f', 'ogg'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  m4a: ['-c:a', 'aac', '-movflags', '+faststart', '-f', 'ipod'],
};

async function encode(input: SpeakCallInput, tracks: Int16Array[]): Promise<void> {
  await mkdir(join(input.path, '..'), { recursive: true });
  const args = ['-hide_banner', '-loglevel', 'error', '-y', '-f', 's16le', '-ar', String(speechRate)];
  args.push('-ac', String(tracks.length), '-i', 'pipe:0', '-ar', String(input.sampleRate), '-bitexact');
  args.push(...encoders[input.format]);
  const { code, stderr } = await runChild({
    command: 'ffmpeg',
    args: [...args, `file:${input.path}`],
    stdin: [interleave(tracks)],
    signal: input.signal,
    timeoutMs: toolMs,
  });
  if (code !== 0) throw new Error(`ffmpeg could not write ${input.path}: ${stderr}`);
}

function interleave(tracks: Int16Array[]): Uint8Array {
  const length = tracks[0]?.length ?? 0;
  const samples = new Int16Array(length * tracks.length);
  for (const [channel, track] of tracks.entries()) {
    for (let i = 0; i < length; i += 1) samples[i * tracks.length + channel] = track[i] ?? 0;
  }
  return new Uint8Array(samples.buffer);
}
