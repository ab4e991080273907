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

/** Numbers of blocks by the levels of the first and the second channel. */
type Pair = { first: number; second: number; counts: Uint32Array };

/**
 * Measures 16-bit sound block by block, storing one value per block and channel: how loud each channel is, and which
 * channels carry the same voice.
 */
export class LevelMeter {
  readonly #channels: number;
  readonly #blockSamples: number;
  readonly #pairs: Pair[] = [];
  readonly #levels: Uint32Array[];
  readonly #energy: Float64Array;
  readonly #loudness: number[][];
  #samplesInBlock = 0;

  constructor(channels: number, sampleRate: number) {
    this.#channels = channels;
    this.#blockSamples = Math.round((sampleRate * blockMs) / 1000);
    this.#levels = Array.from({ length: channels }, () => new Uint32Array(levelBins));
    this.#energy = new Float64Array(channels);
    this.#loudness = Array.from({ length: channels }, () => []);
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

  #measure(channel: number, samples: Int16Array, start: number, end: number): void {
    let energy = 0;
    for (let i = start; i < end; i += 1) energy += (samples[i] ?? 0) ** 2;
    this.#energy[channel] = (this.#energy[channel] ?? 0) + energy;
  }

  #closeBlock(): void {
    const bins = Array.from(this.#energy, (energy) => levelBin(energy / this.#blockSamples));
    for (const [channel, blocks] of this.#loudness.entries()) {
      blocks.push(Math.sqrt((this.#energy[channel] ?? 0) / this.#blockSamples));
    }
    for (const [channel, bin] of bins.entries()) increment(this.#levels[channel], bin);
    for (const { first, second, counts } of this.#pairs) {
      increment(counts, (bins[first] ?? 0) * levelBins + (bins[second] ?? 0));
    }
    this.#energy.fill(0);
    this.#samplesInBlock = 0;
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
