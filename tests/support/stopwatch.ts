export type Kind = 'known' | 'unknown';

/** Times whose medians differ by no more than this in a measurement tell nobody who has an account. */
const ratioMax = 1.25;
const measurementsMax = 5;

/** Known to unknown: the ratio of the medians of tries that take turns, in an order of chance. */
export async function ratioOf(pairs: number, attempt: Record<Kind, () => Promise<number>>): Promise<number> {
  const times: Record<Kind, number[]> = { known: [], unknown: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const order: Kind[] = Math.random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const kind of order) times[kind].push(await attempt[kind]());
  }
  return median(times.known) / median(times.unknown);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export async function timed(work: () => Promise<Response>): Promise<number> {
  const from = performance.now();
  await (await work()).arrayBuffer();
  return performance.now() - from;
}

export const tells = (ratio: number): boolean => !(ratio < ratioMax && ratio > 1 / ratioMax);

/** Measures until one tells nothing: a machine that does other things spoils some of the measurements. */
export async function findUntold(measure: () => Promise<number>): Promise<{ isFound: boolean; ratios: number[] }> {
  const ratios: number[] = [];
  while (ratios.length < measurementsMax && ratios.every(tells)) ratios.push(await measure());
  return { isFound: !ratios.every(tells), ratios };
}

export const both = (attempt: (kind: Kind) => Promise<number>) => ({
  known: () => attempt('known'),
  unknown: () => attempt('unknown'),
});
