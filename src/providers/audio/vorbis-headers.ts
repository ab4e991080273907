import { runTool } from './tool.ts';
import { packetsOf } from './ogg-pages.ts';

/** Sample rates that recordings have. */
const sampleRates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000];
/** Steps of the encoder's quality, the usual one first. */
const qualities = [3, 4, 5, 2, 6, 1, 0, -1, 7, 8, 9, 10];
/** Damaged headers have this much in common with what they were; those of other settings have less than half. */
const likenessMin = 0.9;
const timeoutMs = 20_000;

/**
 * The three headers of a Vorbis stream, without which nothing of it can be decoded, as the encoder wrote them. They hang on
 * its settings alone, not on the sound: those are tried whose headers resemble the damaged ones. Null where none do.
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

/** What a header says is taken for right where it says something usual. */
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
