import { z } from 'zod';
import { listAsStored } from '../lib/plain-json.ts';
import { Redaction } from './redaction.ts';

/** A language as people name it to us: BCP 47, private use (`de-x-foo`) included. RFC 5646, 4.4.1 asks for 35 characters. */
export const GivenLanguage = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/, 'Expected a BCP 47 tag such as en or en-US');

/** Who a voice belongs to. `ivr` is an automatic announcement, `unknown` a voice whose role could not be told. */
export const SpeakerRole = z.enum(['agent', 'customer', 'ivr', 'unknown']);
export type SpeakerRole = z.infer<typeof SpeakerRole>;

const RoleInferred = z.boolean().optional().meta({
  description:
    'True where the role was told from what is said alone, since the recording has one track for everybody and nothing else tells who speaks. Left out elsewhere.',
});

export const Speaker = z.object({
  id: z.string().meta({ description: 'Identifier within this transcript, e.g. `spk_0`.' }),
  role: SpeakerRole,
  name: z.string().nullable().meta({ description: 'Null where nothing tells it.' }),
  roleInferred: RoleInferred,
});
export type Speaker = z.infer<typeof Speaker>;

const StartMs = z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' });
const EndMs = z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' });
const Confidence = z.number().min(0).max(1).nullable().meta({
  description: 'How sure the speech engine is, 0-1; null where it does not tell, or the transcript was supplied.',
});

export const Word = z.object({ text: z.string(), startMs: StartMs, endMs: EndMs, confidence: Confidence });
export type Word = z.infer<typeof Word>;

/** Speech of one speaker without a longer pause (an utterance). */
export const Segment = z.object({
  id: z.string().meta({ description: 'Segment identifier (`seg_…`).' }),
  index: z.int().nonnegative().meta({ description: 'Position in the transcript, ordered by start time, from 0.' }),
  speaker: z.string().meta({ description: '`id` of an entry in `speakers`.' }),
  role: SpeakerRole,
  roleInferred: RoleInferred,
  channel: z.int().nonnegative().meta({ description: 'Channel of the recording, from 0.' }),
  startMs: StartMs,
  endMs: EndMs,
  text: z.string(),
  confidence: Confidence,
  words: z.array(Word).meta({ description: 'Empty where the source has no word times.' }),
});
export type Segment = z.infer<typeof Segment>;

export const transcriptSources = ['speech-to-text', 'supplied'] as const;
export const TranscriptSource = z.enum(transcriptSources);

export const Transcript = z.object({
  recordId: z.string(),
  language: z.string().nullable().meta({ description: 'BCP 47 tag, e.g. `en` or `en-US`.' }),
  source: TranscriptSource.meta({ description: 'By a speech engine, or sent with the call.' }),
  model: z
    .string()
    .nullable()
    .meta({ description: 'Engine and model, e.g. `pocketsphinx/en-us`; null when supplied.' }),
  channels: z.int().positive().meta({ description: 'Channels of the recording.' }),
  speakers: z.array(Speaker),
  segments: z.array(Segment),
  text: z.string().meta({ description: 'All segments in order, one line each.' }),
});
export type Transcript = z.infer<typeof Transcript>;

/** Some segments of a transcript, without the times of single words. */
export const TranscriptPart = z.object({
  recordId: z.string(),
  language: Transcript.shape.language,
  speakers: z.array(Speaker),
  segments: listAsStored(Segment.omit({ words: true, channel: true, confidence: true })),
  total: z.int().nonnegative().meta({ description: 'Segments of the whole transcript.' }),
  next: z.int().nullable().meta({ description: '`from` of the following part; null at the end.' }),
});
export type TranscriptPart = z.infer<typeof TranscriptPart>;

/** A transcript as shown to users. */
export const TranscriptDetail = Transcript.extend({
  segments: listAsStored(Segment),
  redactions: z.array(Redaction).nullable().meta({
    description:
      'What was taken out, in the order of the call; `segments` and `text` have placeholders such as `[card number]` there. Null where the transcript was not redacted.',
  }),
}).meta({ id: 'Transcript' });
export type TranscriptDetail = z.infer<typeof TranscriptDetail>;
