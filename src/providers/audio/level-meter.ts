/** Length of the blocks whose levels are compared. */
export const blockMs = 50;
const levelFloorDb = -100;
const levelBins = 101;
const differenceBins = 2 * levelBins - 1;

/** A channel this far below its own loudest blocks is silent. */
const activeRangeDb = 30;
const steadyRangeDb = 12;
const sameVoiceToleranceDb = 6;
const sameVoiceShareMin = 0.97;
const silentDb = -62;
/** This many blocks (a quarter of a second) must exceed a threshold for it to count as reached. */
const blocksMin = 5;

/**
 * Above 5 kHz, the sharpest sounds of a wide-band voice reach -20 dB, those of a telephone line at most -42 dB
 * (measured).
 */
const wideBandDb = -30;
const bandRangeDb = 20;

/** Numbers of blocks by the levels of the first and the second channel. */
type Pair = { first: number; second: number; counts: Uint32Array };

/**
 * Measures 16-bit sound block by block, storing one value per block and channel: how loud each channel is, which
 * channels carry the same voice, and whether a channel's band ends at 4 kHz, as on telephone lines.
 */
export class LevelMeter {
  readonly #channels: number;
  readonly #blockSamples: number;
  readonly #pairs: Pair[] = [];
  readonly #levels: Uint32Array[];
  readonly #bandRatios: Uint32Array[];
  readonly #energy: Float64Array;
  readonly #highEnergy: Float64Array;
  readonly #filters: HighPass[];
  readonly #loudness: number[][];
  #samplesInBlock = 0;

  /** Measuring the band takes most of the time, and needs a sample rate above 10 kHz. */
  constructor(channels: number, sampleRate: number, { isBandMeasured = true } = {}) {
    this.#channels = channels;
    this.#blockSamples = Math.round((sampleRate * blockMs) / 1000);
    this.#levels = Array.from({ length: channels }, () => new Uint32Array(levelBins));
    this.#bandRatios = Array.from({ length: channels }, () => new Uint32Array(levelBins * levelBins));
    this.#energy = new Float64Array(channels);
    this.#highEnergy = new Float64Array(channels);
    this.#loudness = Array.from({ length: channels }, () => []);
    this.#filters = isBandMeasured ? Array.from({ length: channels }, () => new HighPass(5200, sampleRate)) : [];
    for (let first = 0; first < channels; first += 1) {
      for (let second = first + 1; second < channels; second += 1) {
        this.#pairs.push({ first, second, counts: new Uint32Array(levelBins * levelBins) });
      }
    }
  }

  /** Takes the same number of samples for every channel. */
  add(channels: Int16Array[]): void {
    const length = channels[0]?.length ?? 0;
    let start = 0;
    while (start < length) {
      const end = Math.min(length, start + this.#blockSamples - this.#samplesInBlock);
      for (let c = 0; c < this.#channels; c += 1) this.#measure(c, channels[c] ?? new Int16Array(0), start, end);
      this.#samplesInBlock += end - start;
      if (this.#samplesInBlock === this.#blockSamples) this.#closeBlock();
      start = end;
    }
  }

  /** The level (dBFS) that a channel holds for a quarter of a second. */
  peakDb(channel: number): number {
    let count = 0;
    for (let bin = levelBins - 1; bin >= 0; bin -= 1) {
      count += this.#levels[channel]?.[bin] ?? 0;
      if (count >= blocksMin) return bin + levelFloorDb;
    }
    return levelFloorDb;
  }

  /** Root mean square of each block of a channel; full scale is 32,768. */
  loudness(channel: number): readonly number[] {
    return this.#loudness[channel] ?? [];
  }

  /** Channels in order, without those that duplicate a louder one. */
  distinctChannels(): number[] {
    const kept: number[] = [];
    const byLoudness = Array.from({ length: this.#channels }, (_, channel) => channel);
    byLoudness.sort((a, b) => this.peakDb(b) - this.peakDb(a) || a - b);
    for (const channel of byLoudness) {
      const isRepeated = kept.some((other) => !this.isSilent(channel) && this.isSameVoice(other, channel));
      if (!isRepeated) kept.push(channel);
    }
    return kept.sort((a, b) => a - b);
  }

  isSilent(channel: number): boolean {
    return this.peakDb(channel) <= silentDb;
  }

  /**
   * Whether a channel keeps one level wherever it sounds, as hum, noise and tones do: a voice varies by 18 dB and more
   * (measured). Loud hum can hide a voice, so this is only a suspicion.
   */
  isSteady(channel: number): boolean {
    const levels = this.#levels[channel] ?? new Uint32Array(levelBins);
    const peak = this.peakDb(channel) - levelFloorDb;
    const active = Float64Array.from(levels, (count, bin) => (bin < peak - activeRangeDb ? 0 : count));
    return peak - quantileBin(active, 0.1) < steadyRangeDb;
  }

  /**
   * Whether two channels carry the same voice or mix: their levels rise and fall together. Unlike a comparison of
   * samples, this ignores phase, gain and the codec's effect on the fine structure.
   */
  isSameVoice(first: number, second: number): boolean {
    const pair = this.#pairs.find(
      (item) => item.first === Math.min(first, second) && item.second === Math.max(first, second),
    );
    if (!pair) return first === second;
    const differences = new Float64Array(differenceBins);
    const lowestFirst = this.peakDb(pair.first) - activeRangeDb - levelFloorDb;
    const lowestSecond = this.peakDb(pair.second) - activeRangeDb - levelFloorDb;
    for (const [index, count] of pair.counts.entries()) {
      const [a, b] = [Math.floor(index / levelBins), index % levelBins];
      if (count === 0 || (a < lowestFirst && b < lowestSecond)) continue;
      const bin = a - b + levelBins - 1;
      differences[bin] = (differences[bin] ?? 0) + count;
    }
    const total = differences.reduce((sum, count) => sum + count, 0);
    const middle = quantileBin(differences, 0.5);
    let near = 0;
    for (let bin = middle - sameVoiceToleranceDb; bin <= middle + sameVoiceToleranceDb; bin += 1)
      near += differences[bin] ?? 0;
    return total > 0 && near >= total * sameVoiceShareMin;
  }

  /** Whether a channel's sound ends at 4 kHz although its sample rate allows more. */
  isNarrowBand(channel: number): boolean {
    const ratios = new Float64Array(levelBins);
    const lowest = Math.max(0, this.peakDb(channel) - bandRangeDb - levelFloorDb);
    for (let level = lowest; level < levelBins; level += 1) {
      for (let bin = 0; bin < levelBins; bin += 1) {
        ratios[bin] = (ratios[bin] ?? 0) + (this.#bandRatios[channel]?.[level * levelBins + bin] ?? 0);
      }
    }
    return quantileBin(ratios, 0.97) + levelFloorDb < wideBandDb;
  }

  #measure(channel: number, samples: Int16Array, start: number, end: number): void {
    const filter = this.#filters[channel];
    let energy = 0;
    for (let i = start; i < end; i += 1) energy += (samples[i] ?? 0) ** 2;
    this.#energy[channel] = (this.#energy[channel] ?? 0) + energy;
    if (!filter) return;
    let high = 0;
    for (let i = start; i < end; i += 1) high += filter.next(samples[i] ?? 0) ** 2;
    this.#highEnergy[channel] = (this.#highEnergy[channel] ?? 0) + high;
  }

  #closeBlock(): void {
    const bins = Array.from(this.#energy, (energy) => levelBin(energy / this.#blockSamples));
    for (const [channel, blocks] of this.#loudness.entries()) {
      blocks.push(Math.sqrt((this.#energy[channel] ?? 0) / this.#blockSamples));
    }
    for (const [channel, bin] of bins.entries()) {
      increment(this.#levels[channel], bin);
      const high = levelBin((this.#highEnergy[channel] ?? 0) / this.#blockSamples);
      const ratio = Math.max(0, Math.min(levelBins - 1, levelBins - 1 + high - bin));
      increment(this.#bandRatios[channel], bin * levelBins + ratio);
    }
    for (const { first, second, counts } of this.#pairs) {
      increment(counts, (bins[first] ?? 0) * levelBins + (bins[second] ?? 0));
    }
    this.#energy.fill(0);
    this.#highEnergy.fill(0);
    this.#samplesInBlock = 0;
  }
}

/** Eighth-order Butterworth high-pass: four biquads after the Audio EQ Cookbook (W3C note, R. Bristow-Johnson). */
class HighPass {
  readonly #stages: { b0: number; a1: number; a2: number; x1: number; x2: number; y1: number; y2: number }[];

  constructor(cutoffHz: number, sampleRate: number) {
    const omega = (2 * Math.PI * cutoffHz) / sampleRate;
    this.#stages = [0.509_796, 0.601_345, 0.899_976, 2.562_915].map((q) => {
      const alpha = Math.sin(omega) / (2 * q);
      const a0 = 1 + alpha;
      const b0 = (1 + Math.cos(omega)) / 2 / a0;
      return { b0, a1: (-2 * Math.cos(omega)) / a0, a2: (1 - alpha) / a0, x1: 0, x2: 0, y1: 0, y2: 0 };
    });
  }

  next(sample: number): number {
    let value = sample;
    for (const s of this.#stages) {
      const out = s.b0 * (value - 2 * s.x1 + s.x2) - s.a1 * s.y1 - s.a2 * s.y2;
      s.x2 = s.x1;
      s.x1 = value;
      s.y2 = s.y1;
      s.y1 = out;
      value = out;
    }
    return value;
  }
}

function levelBin(meanSquare: number): number {
  const db = meanSquare > 0 ? 10 * Math.log10(meanSquare / 32_768 ** 2) : levelFloorDb;
  return Math.max(0, Math.min(levelBins - 1, Math.round(db - levelFloorDb)));
}

function quantileBin(counts: Float64Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bin, count] of counts.entries()) {
    seen += count;
    if (count > 0 && seen >= total * share) return bin;
  }
  return 0;
}

function increment(counts: Uint32Array | undefined, bin: number): void {
  if (counts) counts[bin] = (counts[bin] ?? 0) + 1;
}
