import { BINS } from './call-features.ts';

/** Three questions deep: seven nodes, eight leaves. */
export const DEPTH = 3;
export const NODES = 2 ** DEPTH - 1;
export const LEAVES = 2 ** DEPTH;

/**
 * Boosted trees, for each answer as many one after another. A node is a feature and the bin up to which its left side goes; a leaf is a byte
 * that `scale` makes a log-odd of.
 */
export type Trees = { base: readonly number[]; scale: number; nodes: Uint16Array; leaves: Int8Array };
export type PackedTrees = { base: readonly number[]; scale: number; nodes: string; leaves: string };

export function unpackTrees({ base, scale, nodes, leaves }: PackedTrees): Trees {
  const nodeBytes = Buffer.from(nodes, 'base64');
  const leafBytes = Buffer.from(leaves, 'base64');
  const own = new Uint16Array(nodeBytes.length / 2);
  for (let at = 0; at < own.length; at += 1) own[at] = nodeBytes.readUInt16LE(2 * at);
  return {
    base,
    scale,
    nodes: own,
    leaves: new Int8Array(leafBytes.buffer, leafBytes.byteOffset, leafBytes.length),
  };
}

/** The log-odds of each answer, not yet shares. Trees stand in rounds, one tree an answer in each. */
export function climb({ base, scale, nodes, leaves }: Trees, features: Uint8Array): number[] {
  const sums = base.map(() => 0);
  const count = leaves.length / LEAVES;
  for (let tree = 0; tree < count; tree += 1) {
    const answer = tree % base.length;
    sums[answer] = (sums[answer] ?? 0) + (leaves[tree * LEAVES + leafOf(nodes, tree * NODES, features)] ?? 0);
  }
  return sums.map((sum, answer) => (base[answer] ?? 0) + sum * scale);
}

function leafOf(nodes: Uint16Array, from: number, features: Uint8Array): number {
  let node = 0;
  while (node < NODES) {
    const question = nodes[from + node] ?? 0;
    const isLeft = (features[Math.floor(question / BINS)] ?? 0) <= question % BINS;
    node = 2 * node + (isLeft ? 1 : 2);
  }
  return node - NODES;
}
