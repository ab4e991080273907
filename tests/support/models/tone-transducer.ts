import { onnxFile } from './onnx-file.ts';
import { melBins, scoreConstants, scoreNodes, subsampling, toneTokens, vocabulary } from './tone-recogniser.ts';

const hidden = 4;
const width = vocabulary.length;
/** Frames that an answer may skip; every answer takes the second of them, one frame. */
const durations = [-10, 0, -10, -10, -10];
const stateDims = [1, 'N', hidden];

/** The three parts of a NeMo token-and-duration transducer, as Parakeet is one. */
export function transducerModel(): { encoder: Buffer; decoder: Buffer; joiner: Buffer } {
  return { encoder: encoder(), decoder: decoder(), joiner: joiner() };
}

function encoder(): Buffer {
  return onnxFile({
    inputs: [
      { name: 'audio_signal', type: 'float32', dims: ['N', melBins, 'T'] },
      { name: 'length', type: 'int64', dims: ['N'] },
    ],
    outputs: [
      { name: 'outputs', type: 'float32', dims: ['N', width, 'U'] },
      { name: 'encoded_lengths', type: 'int64', dims: ['N'] },
    ],
    nodes: [
      ...scoreNodes('audio_signal', 'scores'),
      { op: 'Transpose', inputs: ['scores'], outputs: ['outputs'], attributes: { perm: [0, 2, 1] } },
      { op: 'Div', inputs: ['length', 'subsampling'], outputs: ['encoded_lengths'] },
    ],
    constants: [...scoreConstants(), { name: 'subsampling', type: 'int64', dims: [1], values: [subsampling] }],
    metadata: {
      vocab_size: toneTokens.length,
      subsampling_factor: subsampling,
      normalize_type: '',
      pred_rnn_layers: 1,
      pred_hidden: hidden,
      model_type: 'EncDecRNNTBPEModel',
      // The library knows token-and-duration models by their address.
      url: 'https://models.example.com/tone-tdt',
    },
  });
}

/** Remembers the last token only, and speaks against saying it again. */
function decoder(): Buffer {
  const memory = vocabulary.flatMap((_, token) =>
    vocabulary.map((_other, other) => (other === token && token < toneTokens.length ? -100 : 0)),
  );
  return onnxFile({
    inputs: [
      { name: 'targets', type: 'int32', dims: ['N', 'U'] },
      { name: 'target_length', type: 'int32', dims: ['N'] },
      { name: 'states.1', type: 'float32', dims: stateDims },
      { name: 'states.2', type: 'float32', dims: stateDims },
    ],
    outputs: [
      { name: 'outputs', type: 'float32', dims: ['N', width, 'U'] },
      { name: 'prednet_lengths', type: 'int32', dims: ['N'] },
      { name: 'states', type: 'float32', dims: stateDims },
      { name: 'states.next', type: 'float32', dims: stateDims },
    ],
    nodes: [
      { op: 'Gather', inputs: ['memory', 'targets'], outputs: ['remembered'] },
      { op: 'Transpose', inputs: ['remembered'], outputs: ['outputs'], attributes: { perm: [0, 2, 1] } },
      { op: 'Identity', inputs: ['target_length'], outputs: ['prednet_lengths'] },
      { op: 'Identity', inputs: ['states.1'], outputs: ['states'] },
      { op: 'Identity', inputs: ['states.2'], outputs: ['states.next'] },
    ],
    constants: [{ name: 'memory', type: 'float32', dims: [width, width], values: memory }],
  });
}

function joiner(): Buffer {
  return onnxFile({
    inputs: [
      { name: 'encoder_outputs', type: 'float32', dims: [1, width, 1] },
      { name: 'decoder_outputs', type: 'float32', dims: [1, width, 1] },
    ],
    outputs: [{ name: 'outputs', type: 'float32', dims: [1, 1, 1, width + durations.length] }],
    nodes: [
      { op: 'Add', inputs: ['encoder_outputs', 'decoder_outputs'], outputs: ['joined'] },
      { op: 'Reshape', inputs: ['joined', 'shape'], outputs: ['tokens'] },
      { op: 'Concat', inputs: ['tokens', 'durations'], outputs: ['outputs'], attributes: { axis: 3 } },
    ],
    constants: [
      { name: 'shape', type: 'int64', dims: [4], values: [1, 1, 1, width] },
      { name: 'durations', type: 'float32', dims: [1, 1, 1, durations.length], values: durations },
    ],
  });
}
