import { open, type FileHandle } from 'node:fs/promises';
import { readWavRange } from '../audio/wav-file.ts';
import type { BandEstimator } from './band-estimator.ts';
import { cepstrum, cepstrumLength, filterBankEnergies, frameLength, frameShift } from './mel-features.ts';

/** Part of a WAV file in 10 ms frames. */
export type FrameRange = { path: string; startFrame: number; endFrame: number };

const energyFloor = 1e-4;
const floatBytes = 4;

/** Collects the features of many utterances in one file in the format of `pocketsphinx_batch` (`.mfc`). */
export class FeatureFile {
  #file: FileHandle;
  #frames = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<FeatureFile> {
    const file = await open(path, 'w');
    await file.write(Buffer.alloc(floatBytes));
    return new FeatureFile(file);
  }

  /** Appends an utterance and returns its frames: the first one and the last one (inclusive). */
  async add(range: FrameRange, estimator: BandEstimator | null): Promise<{ first: number; last: number } | null> {
    const cepstra = await readCepstra(range, estimator);
    if (cepstra.length === 0) return null;
    const values = new Float32Array(cepstra.length * cepstrumLength);
    for (const [frame, cepstrum] of cepstra.entries()) values.set(cepstrum, frame * cepstrumLength);
    await this.#file.write(new Uint8Array(values.buffer));
    const first = this.#frames;
    this.#frames += cepstra.length;
    return { first, last: this.#frames - 1 };
  }

  async close(): Promise<void> {
    try {
      const header = Buffer.alloc(floatBytes);
      header.writeInt32LE(this.#frames * cepstrumLength);
      await this.#file.write(header, 0, floatBytes, 0);
    } finally {
      await this.#file.close();
    }
  }
}

async function readCepstra(range: FrameRange, estimator: BandEstimator | null): Promise<Float64Array[]> {
  const startSample = range.startFrame * frameShift;
  const lead = startSample > 0 ? 1 : 0;
  const count = (range.endFrame - range.startFrame - 1) * frameShift + frameLength;
  const samples = await readWavRange(range.path, startSample - lead, Math.max(0, count) + lead);
  const energies = filterBankEnergies(samples.subarray(lead), lead > 0 ? (samples[0] ?? 0) : 0);
  const logs = energies.map((frame) => frame.map((energy) => Math.log(energy + energyFloor)));
  return estimator ? estimator(logs) : logs.map(cepstrum);
}
