import { z } from 'zod';
import { recogniserKinds } from '../models/manifest.ts';

/** One recording to recognise, as the child reads it from standard input: a line of JSON. */
export const RecogniserJob = z.object({
  id: z.int(),
  model: z.object({
    name: z.string(),
    kind: z.enum(recogniserKinds),
    files: z.record(z.string(), z.string()),
  }),
  /** Path of the voice activity model; without it, the level decides. */
  vad: z.string().nullable(),
  speakers: z.object({ segmentation: z.string(), embedding: z.string() }).nullable(),
  threads: z.int().min(1),
  voices: z.array(z.object({ channel: z.int(), path: z.string() })),
  durationMs: z.number(),
  /** Whether several voices share one track. */
  isMixed: z.boolean(),
  language: z.string().nullable(),
});
export type RecogniserJob = z.infer<typeof RecogniserJob>;

const Word = z.object({
  text: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  confidence: z.number().min(0).max(1).nullable(),
});

const Utterance = z.object({
  channel: z.int(),
  voice: z.string().nullable(),
  startMs: z.number(),
  endMs: z.number(),
  text: z.string(),
  confidence: z.number().min(0).max(1).nullable(),
  words: z.array(Word),
});

/** What the child writes to its fourth descriptor: lines of JSON, since native code prints to the others. */
export const RecogniserReply = z.discriminatedUnion('type', [
  /** A sign of life. `allowedMs`: how long the next one may take, if longer than usual. */
  z.object({
    type: z.literal('progress'),
    id: z.int(),
    stage: z.enum(['loading', 'listening']),
    allowedMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('done'),
    id: z.int(),
    language: z.string().nullable(),
    utterances: z.array(Utterance),
  }),
  z.object({
    type: z.literal('failed'),
    id: z.int(),
    reason: z.enum(['engine-missing', 'model-unusable', 'out-of-memory', 'failed']),
    message: z.string(),
  }),
]);
export type RecogniserReply = z.infer<typeof RecogniserReply>;
export type RecogniserResult = Extract<RecogniserReply, { type: 'done' }>;

/** The descriptor for replies. */
export const replyDescriptor = 3;
