import { ACCUSED } from '../../../src/scoring/opinion/accused.ts';
import { WIDE_PLACES } from '../../../src/scoring/opinion/feature-list.ts';
import type { PackedSuspicions } from '../../../src/scoring/opinion/packed-acts.ts';
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
  const keys = ACCUSED.length;
  const placed = values.subarray(0, WIDE_PLACES * keys);
  const levels = ACCUSED.map((_, key) => levelsOf(placed.filter((_each, at) => at % keys === key)));
  const bias = Array.from(values.slice(-keys), (each) => Number(each.toPrecision(6)));
  const bytes = new Uint8Array((WIDE_PLACES * keys) / 2);
  for (const [at, value] of placed.entries()) {
    const level = nearestOf(levels[at % keys] ?? [], value);
    bytes[at >> 1] = (bytes[at >> 1] ?? 0) | (level << (4 * (at & 1)));
  }
  const packed: PackedSuspicions = { bias, levels, values: base64(bytes) };
  return `import type { PackedSuspicions } from './packed-acts.ts';\n\n${HEAD}export const SUSPICION_WEIGHTS: PackedSuspicions = ${JSON.stringify(packed)};\n`;
}

const LEVELS = 7;
const POWERS = [1.3, 1.6, 1.9, 2.2];
const CUTS = [0.999, 0.9995, 0.9999, 1];

/** Fifteen levels around nothing, the finer the smaller; of several such ladders the one that loses least. */
function levelsOf(own: Float32Array): number[] {
  const sizes = own.map(Math.abs).sort();
  const some = own.filter((_, at) => at % LEVELS === 0);
  const ladders = POWERS.flatMap((power) =>
    CUTS.map((cut) => {
      const most = sizes[Math.floor((sizes.length - 1) * cut)] ?? 1;
      return Array.from({ length: 2 * LEVELS + 1 }, (_, at) => {
        const step = at - LEVELS;
        return Number((Math.sign(step) * (Math.abs(step) / LEVELS) ** power * most).toPrecision(6));
      });
    }),
  );
  const lossOf = (levels: readonly number[]): number =>
    some.reduce((sum, value) => sum + ((levels[nearestOf(levels, value)] ?? 0) - value) ** 2, 0);
  const losses = ladders.map(lossOf);
  return ladders[losses.indexOf(Math.min(...losses))] ?? [];
}

function nearestOf(levels: readonly number[], value: number): number {
  let best = 0;
  for (const [at, level] of levels.entries())
    if (Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value)) best = at;
  return best;
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
