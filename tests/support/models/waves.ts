export const sampleRate = 16_000;
const level = 0.1;

/** For each tone a cosine and a sine: what correlates with either of them sounds like the tone. */
export function waves(tonesHz: number[], samples: number): number[][] {
  const wave = (shape: (angle: number) => number, hz: number): number[] =>
    Array.from({ length: samples }, (_, sample) => level * shape((2 * Math.PI * hz * sample) / sampleRate));
  return tonesHz.flatMap((hz) => [wave(Math.cos, hz), wave(Math.sin, hz)]);
}
