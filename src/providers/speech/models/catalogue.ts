import type { ModelKind, ModelManifest } from './manifest.ts';

export type CatalogueFile = {
  role: string;
  /** Name in the model's folder. */
  name: string;
  url: string;
  sizeBytes: number;
  /** Absent if no published checksum is known: the first download then fixes it. */
  sha256?: string;
};

export type CatalogueModel = {
  name: string;
  kind: ModelKind;
  languages: string[];
  description: string;
  license: string;
  files: CatalogueFile[];
};

const hub = 'https://huggingface.co/csukuangfj';
const releases = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const whisperTokens = 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126';
const europe = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk';

/** Models that every recogniser benefits from, fetched along with it. */
export const companions = ['silero-vad', 'speakers'];

/** The best first: by default, the first installed one that knows the language is used. */
export const catalogue: CatalogueModel[] = [
  {
    name: 'parakeet-tdt-0.6b-v3',
    kind: 'nemo-transducer',
    languages: europe.split(' '),
    description: 'NVIDIA Parakeet TDT 0.6B v3, 8 bit: 25 European languages, word times',
    license: 'CC-BY-4.0',
    files: filesAt(
      `${hub}/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8/resolve/2bda32ec70b097a55adaa07d9a7173915b43cc78`,
      [
        [
          'encoder',
          'encoder.int8.onnx',
          652_184_281,
          'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
        ],
        [
          'decoder',
          'decoder.int8.onnx',
          11_845_275,
          '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
        ],
        ['joiner', 'joiner.int8.onnx', 6_355_277, '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3'],
        ['tokens', 'tokens.txt', 93_939, 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d'],
      ],
    ),
  },
  {
    name: 'whisper-turbo',
    kind: 'whisper',
    languages: ['*'],
    description: 'OpenAI Whisper large-v3 turbo, 8 bit: about 100 languages, slow without many cores',
    license: 'MIT',
    files: filesAt(`${hub}/sherpa-onnx-whisper-turbo/resolve/2ca6ff69fc878651b770880507669577ac41c2ff`, [
      [
        'encoder',
        'turbo-encoder.int8.onnx',
        674_716_297,
        'b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b',
      ],
      [
        'decoder',
        'turbo-decoder.int8.onnx',
        361_080_764,
        '20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547',
      ],
      ['tokens', 'turbo-tokens.txt', 816_730, whisperTokens],
    ]),
  },
  {
    name: 'whisper-small',
    kind: 'whisper',
    languages: ['*'],
    description: 'OpenAI Whisper small, 8 bit: about 100 languages',
    license: 'MIT',
    files: filesAt(`${hub}/sherpa-onnx-whisper-small/resolve/8f3c18b358db4d1f2fc1eae49d75cd20989e4309`, [
      [
        'encoder',
        'small-encoder.int8.onnx',
        112_442_483,
        '4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9',
      ],
      [
        'decoder',
        'small-decoder.int8.onnx',
        262_226_114,
        'acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee',
      ],
      ['tokens', 'small-tokens.txt', 816_730, whisperTokens],
    ]),
  },
  {
    name: 'moonshine-base-en',
    kind: 'moonshine',
    languages: ['en'],
    description: 'Useful Sensors Moonshine base, 8 bit: English, small and quick',
    license: 'MIT',
    files: filesAt(`${hub}/sherpa-onnx-moonshine-base-en-int8/resolve/052b0798ad1bf046a140fdd4efcd9426530fa3f5`, [
      [
        'preprocessor',
        'preprocess.onnx',
        14_077_290,
        'ffa630d395c5ccf76f5d4954be5b882df76aaf6491519ec01fd82ea7a3819fb2',
      ],
      ['encoder', 'encode.int8.onnx', 50_311_494, '7e38770f776f2e5583a53b052936005df2ba5c833d7e09c2a5fd796b94bf73e2'],
      [
        'uncachedDecoder',
        'uncached_decode.int8.onnx',
        122_120_451,
        'c01f4b35093bcac20d352d23a75a539e772964579f9d024a90e5e6f09cae9987',
      ],
      [
        'cachedDecoder',
        'cached_decode.int8.onnx',
        99_983_837,
        '2db74e51cedf64a8b1be3c8192e0bb5e4923af0e90bd9e87f8e8771873f8ea03',
      ],
      ['tokens', 'tokens.txt', 436_688, '1165c2aeb9f72f457a83be2d459a09054f27490acd9b41bd43794dfd25e296ea'],
    ]),
  },
  {
    name: 'gigaam-v2-ru',
    kind: 'nemo-ctc',
    languages: ['ru'],
    description: 'GigaAM v2 CTC, 8 bit: Russian, word times, no punctuation',
    license: 'read the card of the model before commercial use',
    files: filesAt(`${hub}/sherpa-onnx-nemo-ctc-giga-am-v2-russian-2025-04-19/resolve/main`, [
      ['model', 'model.int8.onnx', 236_457_977],
      ['tokens', 'tokens.txt', 196],
    ]),
  },
  {
    name: 'silero-vad',
    kind: 'vad',
    languages: [],
    description: 'Silero VAD: keeps silence and hold music from becoming words',
    license: 'MIT',
    files: filesAt(`${releases}/asr-models`, [
      ['model', 'silero_vad.onnx', 643_854, '9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6'],
    ]),
  },
  {
    name: 'speakers',
    kind: 'speakers',
    languages: [],
    description: 'pyannote segmentation 3.0 and NeMo TitaNet small: tell the two voices of one track apart',
    license: 'MIT, and the licence of NVIDIA NeMo TitaNet',
    files: [
      ...filesAt(`${hub}/sherpa-onnx-pyannote-segmentation-3-0/resolve/9403a6902bb58e3d5ae8c7e77c3422de279db2e0`, [
        ['segmentation', 'model.onnx', 5_992_913, '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079'],
      ]),
      ...filesAt(`${releases}/speaker-recongition-models`, [
        [
          'embedding',
          'nemo_en_titanet_small.onnx',
          40_257_283,
          'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e',
        ],
      ]),
    ],
  },
];

/** Position in the catalogue; other models come last. */
export function order(name: string): number {
  const index = catalogue.findIndex((model) => model.name === name);
  return index < 0 ? catalogue.length : index;
}

export function manifestOf({ kind, languages, license, files }: CatalogueModel): ModelManifest {
  return { kind, languages, license, files: Object.fromEntries(files.map(({ role, name }) => [role, name])) };
}

type FileRow = [role: string, name: string, sizeBytes: number, sha256?: string];

function filesAt(base: string, rows: FileRow[]): CatalogueFile[] {
  return rows.map(([role, name, sizeBytes, sha256]) => ({
    role,
    name,
    url: `${base}/${name}`,
    sizeBytes,
    ...(sha256 !== undefined && { sha256 }),
  }));
}
