import { onnxFile, type OnnxValue } from './onnx-file.ts';
import { toneTokens } from './tone-recogniser.ts';
import { endScore, identity, sequenceConstants, sequenceNodes, spelledTokens } from './tone-sequence.ts';
import { waves } from './waves.ts';

const frameSamples = 384;
/** `<unk>`, `<s>` and `</s>` come first. */
const specials = ['<unk>', '<s>', '</s>'];
const end = 2;
const width = specials.length + toneTokens.length;
const threshold = 20;

const token: OnnxValue = { name: 'token', type: 'int32', dims: [1, 1] };
const encoded: OnnxValue = { name: 'levels', type: 'float32', dims: [1, 'T', width] };
const length: OnnxValue = { name: 'length', type: 'int32', dims: [1] };

/** The four parts of Moonshine. */
export function moonshineModel(): Record<'preprocessor' | 'encoder' | 'uncachedDecoder' | 'cachedDecoder', Buffer> {
  return {
    preprocessor: preprocessor(),
    encoder: onnxFile({
      inputs: [{ ...encoded, name: 'features' }, length],
      outputs: [encoded],
      nodes: [{ op: 'Identity', inputs: ['features'], outputs: ['levels'] }],
    }),
    uncachedDecoder: decoder(false),
    cachedDecoder: decoder(true),
  };
}

export function moonshineTokens(): string {
  return [...specials, ...spelledTokens('▁')].map((text, id) => `${text} ${id}\n`).join('');
}

function preprocessor(): Buffer {
  const filters = waves(
    toneTokens.map(({ hz }) => hz),
    frameSamples,
  );
  const mix = filters.flatMap((_, filter) =>
    Array.from({ length: width }, (_value, id) => (id === specials.length + (filter >> 1) ? 1 : 0)),
  );
  return onnxFile({
    inputs: [{ name: 'audio', type: 'float32', dims: [1, 'S'] }],
    outputs: [{ ...encoded, name: 'features' }],
    nodes: [
      { op: 'Unsqueeze', inputs: ['audio', 'channelAxes'], outputs: ['track'] },
      {
        op: 'Conv',
        inputs: ['track', 'filters'],
        outputs: ['correlations'],
        attributes: { kernel_shape: [frameSamples], strides: [frameSamples] },
      },
      { op: 'Mul', inputs: ['correlations', 'correlations'], outputs: ['powers'] },
      { op: 'Transpose', inputs: ['powers'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['frames', 'mix'], outputs: ['features'] },
    ],
    constants: [
      { name: 'channelAxes', type: 'int64', dims: [1], values: [1] },
      { name: 'filters', type: 'float32', dims: [filters.length, 1, frameSamples], values: filters.flat() },
      { name: 'mix', type: 'float32', dims: [filters.length, width], values: mix },
    ],
  });
}

/** Its state is what it has said so far; the first call has none. */
function decoder(isCached: boolean): Buffer {
  const memory: OnnxValue = { name: 'before', type: 'float32', dims: [1, 1, width] };
  const bias = Array.from({ length: width }, (_, id) => (id === end ? endScore : 0));
  return onnxFile({
    inputs: [token, encoded, length, ...(isCached ? [memory] : [])],
    outputs: [
      { name: 'scores', type: 'float32', dims: [1, 1, width] },
      { name: 'said', type: 'float32', dims: [1, 1, width] },
    ],
    nodes: [
      { op: 'Gather', inputs: ['marks', 'token'], outputs: [isCached ? 'mark' : 'said'] },
      ...(isCached ? [{ op: 'Add', inputs: ['before', 'mark'], outputs: ['said'] }] : []),
      ...sequenceNodes,
    ],
    constants: [
      ...sequenceConstants(threshold, bias),
      { name: 'marks', type: 'float32', dims: [width, width], values: identity(width) },
    ],
  });
}
