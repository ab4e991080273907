import { toneTokens } from './tone-recogniser.ts';
import type { OnnxConstant, OnnxNode } from './onnx-file.ts';

/** What an answer of one token at a time must come before to be given at all. */
export const endScore = 0.5;
const never = -1_000_000;

/**
 * What decoders do that write one token after another: of the tones that have sounded and are not in the memory, the one
 * that sounded first. `levels` is [1, T, vocabulary], `said` [1, 1, vocabulary]; `scores` has the shape of `said`.
 */
export const sequenceNodes: OnnxNode[] = [
  { op: 'Greater', inputs: ['levels', 'threshold'], outputs: ['isHeard'] },
  { op: 'Cast', inputs: ['isHeard'], outputs: ['heard'], attributes: { to: 1 } },
  { op: 'CumSum', inputs: ['heard', 'timeAxis'], outputs: ['soFar'] },
  { op: 'Greater', inputs: ['soFar', 'zero'], outputs: ['isKnown'] },
  { op: 'Cast', inputs: ['isKnown'], outputs: ['known'], attributes: { to: 1 } },
  // Frames since a tone was first heard: the earlier, the more.
  { op: 'ReduceSum', inputs: ['known', 'timeAxes'], outputs: ['since'], attributes: { keepdims: 1 } },
  { op: 'Mul', inputs: ['said', 'never'], outputs: ['barred'] },
  { op: 'Add', inputs: ['since', 'barred'], outputs: ['open'] },
  { op: 'Add', inputs: ['open', 'bias'], outputs: ['scores'] },
];

export function sequenceConstants(threshold: number, bias: number[]): OnnxConstant[] {
  return [
    { name: 'threshold', type: 'float32', dims: [1], values: [threshold] },
    { name: 'timeAxis', type: 'int64', dims: [], values: [1] },
    { name: 'timeAxes', type: 'int64', dims: [1], values: [1] },
    { name: 'zero', type: 'float32', dims: [1], values: [0] },
    { name: 'never', type: 'float32', dims: [1], values: [never] },
    { name: 'bias', type: 'float32', dims: [bias.length], values: bias },
  ];
}

/** Rows that mark one token each. */
export function identity(size: number): number[] {
  return Array.from({ length: size * size }, (_, index) => (index % (size + 1) === 0 ? 1 : 0));
}

/** Tokens of the tones, with what they begin with: the sign of sentence pieces, or a space. */
export function spelledTokens(wordStart: string): string[] {
  return toneTokens.map(({ token }) => token.replace('▁', wordStart));
}
