import { brotliCompressSync } from 'node:zlib';
import { ACCUSED } from '../../../src/scoring/opinion/accused.ts';
import type { PackedWeights } from '../../../src/scoring/opinion/regressions.ts';
import type { Judged, Readers } from './fold.ts';
import type { TurnWeights } from './turns.ts';
import type { Verdicts } from './verdicts.ts';

const IMPORT = `import type { PackedWeights } from './regressions.ts';\n\n`;
const HEAD = '/** Made by `npm run train`. */\n';

/** The weights of the acts as a module. */
export function packReaders({ agent, customer, common }: Readers): string {
  const parts = { agent: packTurns(agent), customer: packTurns(customer), common: base64(common) };
  return `${IMPORT}${HEAD}export const ACT_WEIGHTS: { agent: PackedWeights; customer: PackedWeights; common: string } = ${JSON.stringify(parts)};\n`;
}

function packTurns({ acts, values }: TurnWeights): PackedWeights {
  return packWeights(values, acts);
}

export function packSuspicions(values: Float32Array): string {
  return `${IMPORT}${HEAD}export const SUSPICION_WEIGHTS: PackedWeights = ${JSON.stringify(packWeights(values, ACCUSED.length))};\n`;
}

/** The largest weight of a thing is so many steps. */
const STEPS = 63;

/** Of rows of so many things, the last one is the bias. */
export function packWeights(values: Float32Array, things: number): PackedWeights {
  const placed = values.subarray(0, -things);
  const most = Array.from({ length: things }, () => 1e-9);
  for (const [at, value] of placed.entries()) most[at % things] = Math.max(most[at % things] ?? 0, Math.abs(value));
  const steps = most.map((each) => Number((each / STEPS).toPrecision(6)));
  const whole = Int8Array.from(placed, (value, at) => Math.round(value / (steps[at % things] ?? 1)));
  return {
    bias: Array.from(values.slice(-things), (each) => Number(each.toPrecision(6))),
    steps,
    values: base64(brotliCompressSync(whole)),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function writeNeighbours({ among }: Readers): string {
  return `/** In thousandths. Made by \`npm run train\`. */\nexport const NEIGHBOUR_WEIGHTS: Record<'agent' | 'customer', number[]> = ${JSON.stringify(among)};\n`;
}

export function writeVerdicts({ lines }: Verdicts): string {
  const rounded = Object.entries(lines).map(([key, rows]) => [
    key,
    rows.map((row) => row.map((weight) => Math.round(weight * 1000))),
  ]);
  return `import type { OpinionKey } from './signals.ts';\n\n/** In thousandths. Made by \`npm run train\`. */\nexport const VERDICT_WEIGHTS: Record<OpinionKey, number[][]> = ${JSON.stringify(Object.fromEntries(rounded))};\n`;
}

export function writeTrees({ trees }: Verdicts): string {
  const packed = Object.entries(trees).map(([key, { base, scale, nodes, leaves }]) => {
    const bytes = new Uint8Array(2 * nodes.length);
    for (const [at, node] of nodes.entries()) bytes.set([node & 0xff, node >> 8], 2 * at);
    return [key, { base, scale, nodes: base64(bytes), leaves: base64(new Uint8Array(leaves.buffer)) }];
  });
  return `import type { OpinionKey } from './signals.ts';\nimport type { PackedTrees } from './trees.ts';\n\n${HEAD}export const TREE_WEIGHTS: Record<OpinionKey, PackedTrees> = ${JSON.stringify(Object.fromEntries(packed))};\n`;
}

type Counts = [number, number];

/** Of the calls in which the rules found something, in how many the reader says so too. */
export function writeFigures(judged: readonly Judged[]): string {
  const precisions: Record<string, Counts> = {};
  for (const { key, byRules, truth } of judged) {
    const precision = (precisions[key] ??= [0, 0]);
    if (byRules === 'pass') count(precision, truth === 'pass');
  }
  const lines = [
    "import type { OpinionKey } from './signals.ts';",
    '',
    '/** Right, of those that the rules passed. Made by `npm run train`. */',
    `export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = ${JSON.stringify(precisions)};`,
    '',
  ];
  return lines.join('\n');
}

function count(counts: Counts, isHit: boolean): void {
  counts[0] += isHit ? 1 : 0;
  counts[1] += 1;
}
