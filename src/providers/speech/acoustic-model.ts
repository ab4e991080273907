import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cepstrumLength } from './mel-features.ts';

/** How the cepstra of one class of sounds are spread in the speech that the model was trained on. */
export type SoundClass = { mean: Float64Array; covariance: Float64Array[] };

type Parameters = { sets: number; densities: number; value: (set: number, density: number, index: number) => number };

/**
 * Reads from a Sphinx acoustic model how cepstra (the static stream) are spread for each of its phones.
 * The files are those of CMU Sphinx: `s3` header, then 32-bit floats by set, stream, density and dimension.
 */
export async function readSoundClasses(modelDir: string): Promise<SoundClass[]> {
  const [means, variances] = await Promise.all(
    ['means', 'variances'].map((name) => readParameters(join(modelDir, name))),
  );
  if (!means || !variances) return [];
  return Array.from({ length: means.sets }, (_, set) => {
    const mean = vector((i) => average(means.densities, (density) => means.value(set, density, i)));
    const covariance = Array.from({ length: cepstrumLength }, (_, i) =>
      vector((j) => {
        const between = average(
          means.densities,
          (density) =>
            (means.value(set, density, i) - (mean[i] ?? 0)) * (means.value(set, density, j) - (mean[j] ?? 0)),
        );
        return i === j ? between + average(means.densities, (density) => variances.value(set, density, i)) : between;
      }),
    );
    return { mean, covariance };
  });
}

async function readParameters(path: string): Promise<Parameters> {
  const bytes = await readFile(path);
  const mark = 'endhdr\n';
  const header = bytes.indexOf(mark, 0, 'latin1');
  let position = header + mark.length;
  const isLittle = header > 0 && bytes.readUInt32LE(position) === 0x11223344;
  const integer = (): number => {
    position += 4;
    return isLittle ? bytes.readInt32LE(position - 4) : bytes.readInt32BE(position - 4);
  };
  integer();
  const [sets, streams, densities] = [integer(), integer(), integer()];
  const lengths = Array.from({ length: streams }, integer);
  const count = integer();
  const perSet = lengths.reduce((sum, length) => sum + length * densities, 0);
  const length = lengths[0] ?? 0;
  if (header < 0 || length !== cepstrumLength || count !== perSet * sets || bytes.length < position + count * 4) {
    throw new Error(`${path} is not laid out as an acoustic model with ${cepstrumLength} cepstra.`);
  }
  const start = position;
  const value = (set: number, density: number, index: number): number => {
    const at = start + 4 * (set * perSet + density * length + index);
    return isLittle ? bytes.readFloatLE(at) : bytes.readFloatBE(at);
  };
  return { sets, densities, value };
}

function vector(value: (index: number) => number): Float64Array {
  return Float64Array.from({ length: cepstrumLength }, (_, i) => value(i));
}

function average(count: number, value: (index: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += value(i);
  return sum / count;
}
