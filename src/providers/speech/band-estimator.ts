import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cepstrumLength } from './mel-features.ts';

/** Estimates the full-band cepstra of an utterance from the log filter energies of its frames. */
export type BandEstimator = (logEnergies: Float64Array[]) => Promise<Float64Array[]>;

/** `weights` by row: the weights of all inputs for the first output, then for the second one … */
type Layer = { weights: Float32Array; bias: Float32Array };
type Network = { filters: number; contextFrames: number; hidden: Layer; output: Layer; direct: Layer };

const networkFile = new URL('telephone-band.bin', import.meta.url);
const floatBytes = 4;
/** Other work gets its turn after this many frames, which take some milliseconds. */
const framesPerTurn = 100;

/**
 * Loads the regression that fills in what a telephone line and its codec remove: one hidden layer of rectified units
 * beside a linear map, over a few frames of the filters that the line passes. Its training is described in
 * docs/decisions/0013-telephone-band-regression.md. Throws if the file has an unexpected layout.
 */
export async function loadBandEstimator(): Promise<BandEstimator> {
  const network = parseNetwork(await readFile(networkFile));
  return (logEnergies) => estimate(network, logEnergies);
}

async function estimate(network: Network, logEnergies: Float64Array[]): Promise<Float64Array[]> {
  const { filters, contextFrames, hidden, output, direct } = network;
  const means = Float64Array.from({ length: filters }, (_, j) => mean(logEnergies, j));
  const frames = logEnergies.map((frame) => means.map((value, j) => (frame[j] ?? 0) - value));
  const around = new Float32Array(filters * (2 * contextFrames + 1));
  const cepstra: Float64Array[] = [];
  for (const index of frames.keys()) {
    if (index % framesPerTurn === framesPerTurn - 1) await nextTurn();
    for (let k = 0; k <= 2 * contextFrames; k += 1) {
      const near = Math.max(0, Math.min(frames.length - 1, index + k - contextFrames));
      around.set(frames[near] ?? [], k * filters);
    }
    const activations = apply(hidden, around).map((value) => Math.max(0, value));
    const curved = apply(output, activations);
    cepstra.push(Float64Array.from(apply(direct, around), (value, i) => value + (curved[i] ?? 0)));
  }
  return cepstra;
}

function apply({ weights, bias }: Layer, input: Float32Array): Float32Array {
  const result = new Float32Array(bias.length);
  const width = input.length;
  for (let row = 0; row < result.length; row += 1) {
    let sum = bias[row] ?? 0;
    for (let i = 0; i < width; i += 1) sum += (weights[row * width + i] ?? 0) * (input[i] ?? 0);
    result[row] = sum;
  }
  return result;
}

/** Four 32-bit integers (filters, context, hidden units, cepstra), then 32-bit floats: each layer's rows, then its bias. */
function parseNetwork(bytes: Buffer): Network {
  const [filters, contextFrames, units, cepstra] = [0, 1, 2, 3].map((i) => bytes.readInt32LE(i * floatBytes));
  if (!filters || contextFrames === undefined || !units || cepstra !== cepstrumLength) throw malformed();
  const inputs = filters * (2 * contextFrames + 1);
  let at = 4 * floatBytes;
  const vector = (length: number): Float32Array => {
    if (at + length * floatBytes > bytes.length) throw malformed();
    const values = Float32Array.from({ length }, (_, i) => bytes.readFloatLE(at + i * floatBytes));
    at += length * floatBytes;
    return values;
  };
  const layer = (rows: number, columns: number): Layer => {
    return { weights: vector(rows * columns), bias: vector(rows) };
  };
  const hidden = layer(units, inputs);
  const output = layer(cepstra, units);
  const direct = layer(cepstra, inputs);
  if (at !== bytes.length) throw malformed();
  return { filters, contextFrames, hidden, output, direct };
}

function malformed(): Error {
  return new Error(`${networkFile.pathname} is not laid out as a regression to ${cepstrumLength} cepstra.`);
}

function mean(frames: Float64Array[], index: number): number {
  let sum = 0;
  for (const frame of frames) sum += frame[index] ?? 0;
  return frames.length > 0 ? sum / frames.length : 0;
}
