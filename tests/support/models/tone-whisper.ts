import { onnxFile, type OnnxValue } from './onnx-file.ts';
import { melBin, melBins, toneTokens } from './tone-recogniser.ts';
import { endScore, identity, sequenceConstants, sequenceNodes, spelledTokens } from './tone-sequence.ts';

const specials = ['end', 'start', 'en', 'de', 'translate', 'transcribe', 'noSpeech', 'noTimestamps'] as const;
const width = toneTokens.length + specials.length;
const contextTokens = 64;
/** Of a mel band that holds the loudest sound of an utterance, after Whisper's normalisation. */
const threshold = 1;

const cross: OnnxValue = { name: 'cross', type: 'float32', dims: [1, 1, 'T', width] };
const cache: OnnxValue = { name: 'cache', type: 'float32', dims: [1, 1, contextTokens, width] };

/** Both parts of Whisper. It knows English and German, and takes everything for German unless told. */
export function whisperModel(): { encoder: Buffer; decoder: Buffer } {
  return { encoder: encoder(), decoder: decoder() };
}

/** Whisper's tokens are written in Base64. */
export function whisperTokens(): string {
  return spelledTokens(' ')
    .map((text, index) => `${Buffer.from(text).toString('base64')} ${index}\n`)
    .join('');
}

function id(special: (typeof specials)[number]): number {
  return toneTokens.length + specials.indexOf(special);
}

function encoder(): Buffer {
  const bands = Array.from({ length: melBins * width }, () => 0);
  for (const [token, { hz }] of toneTokens.entries()) bands[melBin(hz) * width + token] = 1;
  return onnxFile({
    inputs: [{ name: 'mel', type: 'float32', dims: [1, melBins, 'T'] }],
    outputs: [
      { ...cross, name: 'cross_k' },
      { ...cross, name: 'cross_v' },
    ],
    nodes: [
      { op: 'Transpose', inputs: ['mel'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['frames', 'bands'], outputs: ['levels'] },
      { op: 'Unsqueeze', inputs: ['levels', 'layerAxes'], outputs: ['cross_k'] },
      { op: 'Identity', inputs: ['cross_k'], outputs: ['cross_v'] },
    ],
    constants: [
      { name: 'bands', type: 'float32', dims: [melBins, width], values: bands },
      { name: 'layerAxes', type: 'int64', dims: [1], values: [0] },
    ],
    metadata: {
      n_mels: melBins,
      n_text_layer: 1,
      n_text_ctx: contextTokens,
      n_text_state: width,
      n_vocab: width,
      sot: id('start'),
      eot: id('end'),
      blank_id: 0,
      translate: id('translate'),
      transcribe: id('transcribe'),
      is_multilingual: 1,
      no_timestamps: id('noTimestamps'),
      no_speech: id('noSpeech'),
      sot_sequence: [id('start'), id('en'), id('transcribe')].join(','),
      all_language_tokens: [id('en'), id('de')].join(','),
      all_language_codes: 'en,de',
      model_type: 'whisper-tones',
    },
  });
}

/** Marks what it has said in every place of its cache. */
function decoder(): Buffer {
  const bias = Array.from({ length: width }, (_, token) => {
    if (token === id('end')) return endScore;
    return token === id('de') ? endScore / 2 : 0;
  });
  return onnxFile({
    inputs: [
      { name: 'tokens', type: 'int64', dims: [1, 'n'] },
      { ...cache, name: 'in_self_k' },
      { ...cache, name: 'in_self_v' },
      { ...cross, name: 'cross_k' },
      { ...cross, name: 'cross_v' },
      { name: 'offset', type: 'int64', dims: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float32', dims: [1, 'n', width] },
      { ...cache, name: 'out_self_k' },
      { ...cache, name: 'out_self_v' },
    ],
    nodes: [
      { op: 'Gather', inputs: ['marks', 'tokens'], outputs: ['mark'] },
      { op: 'ReduceSum', inputs: ['mark', 'placeAxes'], outputs: ['marked'], attributes: { keepdims: 1 } },
      { op: 'Add', inputs: ['in_self_k', 'marked'], outputs: ['out_self_k'] },
      { op: 'Identity', inputs: ['in_self_v'], outputs: ['out_self_v'] },
      { op: 'ReduceMax', inputs: ['out_self_k'], outputs: ['said'], attributes: { axes: [0, 2], keepdims: 0 } },
      { op: 'Squeeze', inputs: ['cross_k', 'layerAxes'], outputs: ['levels'] },
      ...sequenceNodes,
      { op: 'Mul', inputs: ['mark', 'zero'], outputs: ['places'] },
      { op: 'Add', inputs: ['scores', 'places'], outputs: ['logits'] },
    ],
    constants: [
      ...sequenceConstants(threshold, bias),
      { name: 'marks', type: 'float32', dims: [width, width], values: identity(width) },
      { name: 'placeAxes', type: 'int64', dims: [1], values: [1] },
      { name: 'layerAxes', type: 'int64', dims: [1], values: [0] },
    ],
  });
}
