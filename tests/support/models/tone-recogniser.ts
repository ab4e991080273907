import { onnxFile, type OnnxConstant, type OnnxNode } from './onnx-file.ts';

/** What the models hear: each tone, in Hz, is one token. */
export const toneTokens = [
  { hz: 450, token: '▁alpha' },
  { hz: 750, token: '▁bravo' },
  { hz: 1100, token: '▁char' },
  { hz: 1500, token: 'lie' },
  { hz: 2100, token: '▁delta' },
  { hz: 2900, token: '▁music' },
] as const;

export const melBins = 80;
const hzMax = 8000;
/** Frames of 10 ms that one answer of the model stands for. */
export const subsampling = 4;
const blank = toneTokens.length;
export const vocabulary = [...toneTokens.map(({ token }) => token), '<blk>'];
/** Above what the log of a mel band is in silence, below what it is in a tone. */
const blankScore = -2;

/** Lines of `token id`, as the recogniser reads them. */
export function tokensFile(): string {
  return vocabulary.map((token, id) => `${token} ${id}\n`).join('');
}

/** A NeMo CTC model whose single layer compares the bands of the tones. */
export function ctcModel(): Buffer {
  return onnxFile({
    inputs: [
      { name: 'audio_signal', type: 'float32', dims: ['N', melBins, 'T'] },
      { name: 'length', type: 'int64', dims: ['N'] },
    ],
    outputs: [{ name: 'logprobs', type: 'float32', dims: ['N', 'U', vocabulary.length] }],
    nodes: [
      ...scoreNodes('audio_signal', 'scores'),
      { op: 'LogSoftmax', inputs: ['scores'], outputs: ['logprobs'], attributes: { axis: -1 } },
    ],
    constants: scoreConstants(),
    metadata: {
      vocab_size: blank,
      subsampling_factor: subsampling,
      normalize_type: '',
      model_type: 'EncDecCTCModelBPE',
    },
  });
}

/** [N, mel bands, T] → [N, T / subsampling, vocabulary]. */
export function scoreNodes(input: string, output: string): OnnxNode[] {
  const stride = { kernel_shape: [subsampling], strides: [subsampling] };
  return [
    { op: 'AveragePool', inputs: [input], outputs: ['pooled'], attributes: stride },
    { op: 'Transpose', inputs: ['pooled'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
    { op: 'MatMul', inputs: ['frames', 'bands'], outputs: ['levels'] },
    { op: 'Add', inputs: ['levels', 'bias'], outputs: [output] },
  ];
}

export function scoreConstants(): OnnxConstant[] {
  const width = vocabulary.length;
  const bands = Array.from({ length: melBins * width }, () => 0);
  for (const [id, { hz }] of toneTokens.entries()) bands[melBin(hz) * width + id] = 1;
  const bias = vocabulary.map((_, id) => (id === blank ? blankScore : 0));
  return [
    { name: 'bands', type: 'float32', dims: [melBins, width], values: bands },
    { name: 'bias', type: 'float32', dims: [width], values: bias },
  ];
}

/** The band whose middle is nearest, on Slaney's scale. */
export function melBin(hz: number): number {
  return Math.round((mel(hz) / mel(hzMax)) * (melBins + 1)) - 1;
}

function mel(hz: number): number {
  return hz < 1000 ? (hz * 3) / 200 : 15 + (Math.log(hz / 1000) * 27) / Math.log(6.4);
}
