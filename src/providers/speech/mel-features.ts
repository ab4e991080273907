/**
 * Mel-frequency cepstra exactly as the front end of CMU Sphinx computes them (sphinxbase, `fe_sigproc.c`), with the
 * parameters of the model `en-us` (`feat.params`). Reimplemented because what a telephone line removes can only be
 * filled in between the filter bank and the cepstrum.
 */
export const filterCount = 25;
export const cepstrumLength = 13;
export const frameShift = 160;
export const frameLength = 410;

const sampleRate = 16_000;
const fftLength = 512;
const binHz = sampleRate / fftLength;
const lowestHz = 130;
const highestHz = 6800;
const preEmphasis = 0.97;
const lifterLength = 22;

type Filter = { startBin: number; weights: number[]; centerHz: number };

export const filters: Filter[] = makeFilters();
const window = Float64Array.from(
  { length: frameLength },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (frameLength - 1)),
);
const cosines = Float64Array.from({ length: fftLength / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / fftLength));
const sines = Float64Array.from({ length: fftLength / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / fftLength));
const bitReversed = Uint16Array.from({ length: fftLength }, (_, i) => reverseBits(i, Math.log2(fftLength)));

/** `basis[i][j]`: weight of the log energy of filter j in cepstrum i, liftered. */
export const cepstrumBasis: Float64Array[] = Array.from({ length: cepstrumLength }, (_, i) =>
  Float64Array.from({ length: filterCount }, (_, j) => lifter(i) * cosineTransform(i, j)),
);

/** Energy of each filter for each 10 ms frame of 16 kHz samples. `previous` is the sample before the first. */
export function filterBankEnergies(samples: Int16Array, previous: number): Float64Array[] {
  const frames = Math.max(0, Math.floor((samples.length - frameLength) / frameShift) + 1);
  const real = new Float64Array(fftLength);
  const imaginary = new Float64Array(fftLength);
  return Array.from({ length: frames }, (_, frame) => {
    real.fill(0);
    imaginary.fill(0);
    const start = frame * frameShift;
    for (let i = 0; i < frameLength; i += 1) {
      const before = start + i > 0 ? (samples[start + i - 1] ?? 0) : previous;
      real[bitReversed[i] ?? 0] = ((samples[start + i] ?? 0) - preEmphasis * before) * (window[i] ?? 0);
    }
    transform(real, imaginary);
    return Float64Array.from(filters, ({ startBin, weights }) => {
      let energy = 0;
      for (let i = 0; i < weights.length; i += 1) {
        const [re, im] = [real[startBin + i] ?? 0, imaginary[startBin + i] ?? 0];
        energy += (weights[i] ?? 0) * (re * re + im * im);
      }
      return energy;
    });
  });
}

/** Liftered cepstrum of one frame's log filter energies. */
export function cepstrum(logEnergies: Float64Array): Float64Array {
  return Float64Array.from(cepstrumBasis, (weights) => {
    let sum = 0;
    for (let j = 0; j < filterCount; j += 1) sum += (weights[j] ?? 0) * (logEnergies[j] ?? 0);
    return sum;
  });
}

function makeFilters(): Filter[] {
  const [low, high] = [toMel(lowestHz), toMel(highestHz)];
  const step = (high - low) / (filterCount + 1);
  return Array.from({ length: filterCount }, (_, i) => {
    const edge = (j: number): number => Math.floor(fromMel(low + (i + j) * step) / binHz + 0.5) * binHz;
    const [left, center, right] = [edge(0), edge(1), edge(2)];
    const startBin = Math.ceil(left / binHz);
    const bins = Math.floor(right / binHz) - startBin + 1;
    const weights = Array.from({ length: bins }, (_, bin) => {
      const hz = (startBin + bin) * binHz;
      return (Math.min((hz - left) / (center - left), (right - hz) / (right - center)) * 2) / (right - left);
    });
    return { startBin, weights, centerHz: center };
  });
}

function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let size = 2; size <= fftLength; size *= 2) {
    const half = size / 2;
    const stride = fftLength / size;
    for (let block = 0; block < fftLength; block += size) {
      for (let k = 0; k < half; k += 1) {
        const [a, b] = [block + k, block + k + half];
        const [cosine, sine] = [cosines[k * stride] ?? 0, sines[k * stride] ?? 0];
        const [bRe, bIm, aRe, aIm] = [real[b] ?? 0, imaginary[b] ?? 0, real[a] ?? 0, imaginary[a] ?? 0];
        const re = bRe * cosine - bIm * sine;
        const im = bRe * sine + bIm * cosine;
        real[b] = aRe - re;
        imaginary[b] = aIm - im;
        real[a] = aRe + re;
        imaginary[a] = aIm + im;
      }
    }
  }
}

function cosineTransform(i: number, j: number): number {
  if (i === 0) return Math.sqrt(1 / filterCount);
  return Math.sqrt(2 / filterCount) * Math.cos((Math.PI * i * (j + 0.5)) / filterCount);
}

function lifter(i: number): number {
  return 1 + (lifterLength / 2) * Math.sin((i * Math.PI) / lifterLength);
}

function toMel(hz: number): number {
  return 2595 * Math.log10(1 + hz / 700);
}

function fromMel(mel: number): number {
  return 700 * (10 ** (mel / 2595) - 1);
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit += 1) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
