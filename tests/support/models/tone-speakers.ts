import { onnxFile } from './onnx-file.ts';
import { sampleRate, waves } from './waves.ts';

const windowSamples = 160_000;
const frameSamples = 320;
/** Nobody, three single speakers, three pairs of them: the classes of pyannote's segmentation 3.0. */
const classes = 7;
const speakersMax = 3;
const nobodyScore = 5;
const melBins = 80;
/** Below is one voice, above the other. */
const borderBin = 32;

/** A model of the shape of pyannote's segmentation: the low tones are one speaker, the high ones another. */
export function segmentationModel(voices: { low: number[]; high: number[] }): Buffer {
  const filters = [...waves(voices.low, frameSamples), ...waves(voices.high, frameSamples)];
  const lowFilters = voices.low.length * 2;
  const mix = filters.flatMap((_, filter) => {
    const speaker = filter < lowFilters ? 1 : 2;
    return Array.from({ length: classes }, (_value, index) => (index === speaker ? 1 : 0));
  });
  const bias = Array.from({ length: classes }, (_, index) => (index === 0 ? nobodyScore : index > 2 ? -1000 : 0));
  return onnxFile({
    inputs: [{ name: 'x', type: 'float32', dims: ['N', 1, 'T'] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['N', 'F', classes] }],
    nodes: [
      {
        op: 'Conv',
        inputs: ['x', 'filters'],
        outputs: ['correlations'],
        attributes: { kernel_shape: [frameSamples], strides: [frameSamples] },
      },
      { op: 'Mul', inputs: ['correlations', 'correlations'], outputs: ['powers'] },
      { op: 'Transpose', inputs: ['powers'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['frames', 'mix'], outputs: ['mixed'] },
      { op: 'Add', inputs: ['mixed', 'bias'], outputs: ['y'] },
    ],
    constants: [
      { name: 'filters', type: 'float32', dims: [filters.length, 1, frameSamples], values: filters.flat() },
      { name: 'mix', type: 'float32', dims: [filters.length, classes], values: mix },
      { name: 'bias', type: 'float32', dims: [classes], values: bias },
    ],
    metadata: {
      sample_rate: sampleRate,
      window_size: windowSamples,
      receptive_field_size: frameSamples,
      receptive_field_shift: frameSamples,
      num_speakers: speakersMax,
      powerset_max_classes: 2,
      num_classes: classes,
      model_type: 'pyannote-segmentation-3.0',
    },
  });
}

/** A model of the shape of 3D-Speaker's embeddings: how much of a voice lies below and above a border. */
export function embeddingModel(): Buffer {
  const halves = Array.from({ length: melBins }, (_, bin) => (bin < borderBin ? [1, 0] : [0, 1])).flat();
  return onnxFile({
    inputs: [{ name: 'x', type: 'float32', dims: ['N', 'T', melBins] }],
    outputs: [{ name: 'embedding', type: 'float32', dims: ['N', 2] }],
    nodes: [
      { op: 'ReduceMean', inputs: ['x'], outputs: ['mean'], attributes: { axes: [1], keepdims: 0 } },
      { op: 'Softmax', inputs: ['mean'], outputs: ['spectrum'], attributes: { axis: 1 } },
      { op: 'MatMul', inputs: ['spectrum', 'halves'], outputs: ['embedding'] },
    ],
    constants: [{ name: 'halves', type: 'float32', dims: [melBins, 2], values: halves }],
    metadata: {
      framework: '3d-speaker',
      language: 'English',
      output_dim: 2,
      sample_rate: sampleRate,
      normalize_samples: 1,
      feature_normalize_type: '',
    },
  });
}
