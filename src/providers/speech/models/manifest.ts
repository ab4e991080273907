import { z } from 'zod';

/** The file roles of each kind of model. */
export const modelRoles = {
  whisper: ['encoder', 'decoder', 'tokens'],
  transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  'nemo-transducer': ['encoder', 'decoder', 'joiner', 'tokens'],
  'nemo-ctc': ['model', 'tokens'],
  moonshine: ['preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder', 'tokens'],
  /** Detects speech. */
  vad: ['model'],
  /** Tells the voices of one track apart. */
  speakers: ['segmentation', 'embedding'],
} as const satisfies Record<string, readonly string[]>;

export type ModelKind = keyof typeof modelRoles;

export const recogniserKinds = ['whisper', 'transducer', 'nemo-transducer', 'nemo-ctc', 'moonshine'] as const;
export type RecogniserKind = (typeof recogniserKinds)[number];

export const ModelName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'Expected a name of small letters, digits, dots and dashes, such as whisper-small',
  );
/** A name, not a path: it is joined to the folder of its model. */
const FileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/, 'Expected the name of a file in the folder');

/** `model.json` in the folder of a model. */
export const ModelManifest = z
  .object({
    kind: z.enum(Object.keys(modelRoles) as [ModelKind, ...ModelKind[]]),
    /** Supported languages, such as `en`; `*` for all. Models that recognise no words need none. */
    languages: z.array(z.string()).default([]),
    /** Names of the files by their role. */
    files: z.record(z.string(), FileName),
    license: z.string().optional(),
  })
  .superRefine(({ kind, files, languages }, ctx) => {
    for (const role of modelRoles[kind]) {
      if (files[role] === undefined)
        ctx.addIssue({ code: 'custom', path: ['files', role], message: `A ${kind} model needs this file` });
    }
    if (languages.length === 0 && isRecogniser(kind))
      ctx.addIssue({ code: 'custom', path: ['languages'], message: 'Expected at least one language, or "*"' });
  });
export type ModelManifest = z.infer<typeof ModelManifest>;

export function isRecogniser(kind: ModelKind): kind is RecogniserKind {
  return recogniserKinds.some((recogniser) => recogniser === kind);
}
