import { ACCUSED } from '../../../src/scoring/opinion/accused.ts';
import type { Judged, Readers } from './fold.ts';
import type { TurnWeights } from './turns.ts';
import type { Verdicts } from './verdicts.ts';

const HEAD = '/** Made by `npm run train`. */\n';

/** The weights of the acts as a module: a byte each, with a scale for each act. */
export function packReaders({ agent, customer, common }: Readers): string {
  const parts = { agent: packTurns(agent), customer: packTurns(customer), common: base64(common) };
  return `import type { PackedActs } from './packed-acts.ts';\n\n${HEAD}export const ACT_WEIGHTS: { agent: PackedActs; customer: PackedActs; common: string } = ${JSON.stringify(parts)};\n`;
}

export function packSuspicions(values: Float32Array): string {
  const packed = packTurns({ acts: ACCUSED.length, values });
  return `import type { PackedActs } from './packed-acts.ts';\n\n${HEAD}export const SUSPICION_WEIGHTS: PackedActs = ${JSON.stringify(packed)};\n`;
}

function packTurns({ acts, values }: TurnWeights): { scales: number[]; values: string } {
  const most = Array.from({ length: acts }, () => 1e-9);
  for (const [at, value] of values.entries()) most[at % acts] = Math.max(most[at % acts] ?? 0, Math.abs(value));
  const scales = most.map((each) => Number((each / 127).toPrecision(6)));
  const bytes = Int8Array.from(values, (value, at) =>
    Math.max(-127, Math.min(127, Math.round(value / (scales[at % acts] ?? 1)))),
  );
  return { scales, values: base64(new Uint8Array(bytes.buffer)) };
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
