import { runTool } from './tool.ts';
import { packetsOf } from './ogg-pages.ts';

/** Usual sample rates. */
const sampleRates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000];
/** The encoder's quality levels, the usual one first. */
const qualities = [3, 4, 5, 2, 6, 1, 0, -1, 7, 8, 9, 10];
/** Damaged headers still resemble the originals this much; those of other settings less than half. */
const likenessMin = 0.9;
const timeoutMs = 20_000;

/**
 * The three headers of a Vorbis stream, without which it cannot be decoded, as the encoder wrote them. They depend only
 * on its settings, not on the sound, so headers of usual settings are compared with the damaged ones. Null if none
 * match.
 */
export async function findVorbisHeaders(damaged: readonly Buffer[]): Promise<Buffer[] | null> {
  const [identification, , setup] = damaged;
  if (!identification || !setup) return null;
  const rate = identification.length >= 16 ? identification.readUInt32LE(12) : 0;
  const channels = identification[11] ?? 0;
  for (const sampleRate of likeliestFirst(sampleRates, rate)) {
    for (const channelCount of likeliestFirst([1, 2], channels)) {
      for (const quality of qualities) {
        const headers = await encodeSilence({ sampleRate, channelCount, quality });
        if (headers[2] && likeness(headers[2], setup) >= likenessMin) return headers;
      }
    }
  }
  return null;
}

/** Tries the header's own value first, if it is usual. */
function likeliestFirst(usual: readonly number[], said: number): readonly number[] {
  return usual.includes(said) ? [said] : usual;
}

async function encodeSilence(settings: {
  sampleRate: number;
  channelCount: number;
  quality: number;
}): Promise<Buffer[]> {
  const { sampleRate, channelCount, quality } = settings;
  const layout = channelCount === 1 ? 'mono' : 'stereo';
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', `anullsrc=r=${sampleRate}:cl=${layout}`, '-t', '0.1'];
  args.push('-c:a', 'libvorbis', '-q:a', String(quality), '-f', 'ogg', 'pipe:1');
  const chunks: Buffer[] = [];
  const onStdout = (chunk: Buffer): void => void chunks.push(chunk);
  const { code } = await runTool({ tool: 'ffmpeg', purpose: 'Reading the recording', args, timeoutMs, onStdout });
  return code === 0 ? packetsOf(Buffer.concat(chunks), 3) : [];
}

function likeness(one: Buffer, other: Buffer): number {
  if (one.length !== other.length) return 0;
  return one.filter((byte, index) => byte === other[index]).length / one.length;
}
