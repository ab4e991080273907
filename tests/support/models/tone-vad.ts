import { onnxFile } from './onnx-file.ts';
import { toneTokens } from './tone-recogniser.ts';
import { waves } from './waves.ts';

const windowSamples = 512;
const speechHzMax = 2500;

/** A model of the shape of Silero VAD 4 that hears speech where one of the lower tones sounds. */
export function vadModel(): Buffer {
  const speech = toneTokens.map(({ hz }) => hz).filter((hz) => hz < speechHzMax);
  const columns = waves(speech, windowSamples);
  const values = Array.from({ length: windowSamples }, (_, sample) =>
    columns.map((column) => column[sample] ?? 0),
  ).flat();
  const state = [2, 1, 64];
  return onnxFile({
    inputs: [
      { name: 'input', type: 'float32', dims: [1, 'N'] },
      { name: 'sr', type: 'int64', dims: [1] },
      { name: 'h', type: 'float32', dims: state },
      { name: 'c', type: 'float32', dims: state },
    ],
    outputs: [
      { name: 'output', type: 'float32', dims: [1, 1] },
      { name: 'hn', type: 'float32', dims: state },
      { name: 'cn', type: 'float32', dims: state },
    ],
    nodes: [
      { op: 'MatMul', inputs: ['input', 'waves'], outputs: ['correlations'] },
      { op: 'Mul', inputs: ['correlations', 'correlations'], outputs: ['powers'] },
      { op: 'ReduceSum', inputs: ['powers', 'axis'], outputs: ['power'], attributes: { keepdims: 1 } },
      { op: 'Add', inputs: ['power', 'bias'], outputs: ['logit'] },
      { op: 'Sigmoid', inputs: ['logit'], outputs: ['output'] },
      { op: 'Identity', inputs: ['h'], outputs: ['hn'] },
      { op: 'Identity', inputs: ['c'], outputs: ['cn'] },
    ],
    constants: [
      { name: 'waves', type: 'float32', dims: [windowSamples, columns.length], values },
      { name: 'axis', type: 'int64', dims: [1], values: [1] },
      { name: 'bias', type: 'float32', dims: [1], values: [-20] },
    ],
  });
}
