import { stat } from 'node:fs/promises';
import { AudioError } from './errors.ts';
import { audioLimits, timeoutMsFor } from './limits.ts';
import { runTool } from './tool.ts';
import { readWavRange, WavWriter } from './wav-file.ts';
import { voiceSampleRate } from './voice-rate.ts';

const blockSamples = 131_072;
/** Size of a voice: 16-bit samples of one channel. */
const bytesPerMs = (2 * voiceSampleRate) / 1000;

/** Combines mono WAVs as the channels of one FLAC: lossless, at about half the size. Throws `AudioError`. */
export async function encodeVoices(input: { inputs: string[]; path: string; signal: AbortSignal }): Promise<void> {
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'];
  for (const path of input.inputs) args.push('-protocol_whitelist', 'file,pipe', '-f', 'wav', '-i', `file:${path}`);
  if (input.inputs.length > 1) args.push('-filter_complex', `amerge=inputs=${input.inputs.length}`);
  args.push('-c:a', 'flac', '-f', 'flac', `file:${input.path}`);
  const { memoryBytesMax } = audioLimits;
  const sizes = await Promise.all(input.inputs.map(async (path) => (await stat(path)).size));
  const timeoutMs = timeoutMsFor(audioLimits, sizes.reduce((sum, size) => sum + size, 0) / bytesPerMs);
  const purpose = 'Encoding the recording';
  const result = await runTool({ tool: 'ffmpeg', purpose, args, signal: input.signal, timeoutMs, memoryBytesMax });
  if (result.code === 0) return;
  throw new AudioError('AUDIO_UNDECODABLE', 'The recording cannot be encoded for the provider.', {
    internal: result.stderr,
  });
}

/** Copies part of a 16 kHz mono WAV, block by block. Returns the size of the copy in bytes. */
export async function cutWav(input: { from: string; startMs: number; endMs: number; to: string }): Promise<number> {
  const perMs = voiceSampleRate / 1000;
  const writer = await WavWriter.create(input.to, voiceSampleRate);
  try {
    const end = Math.round(input.endMs * perMs);
    for (let at = Math.round(input.startMs * perMs); at < end; at += blockSamples) {
      const samples = await readWavRange(input.from, at, Math.min(blockSamples, end - at));
      if (samples.length === 0) break;
      await writer.write(samples);
    }
  } finally {
    await writer.close();
  }
  return (await stat(input.to)).size;
}
