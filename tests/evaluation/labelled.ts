import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CheckAnswer } from '../../src/model/scorecard.ts';
import type { Transcript } from '../../src/model/transcript.ts';

/** What somebody says, with times where the set has them and with what it does where the set tells. */
const LabelledUtterance = z.object({
  role: z.enum(['agent', 'customer', 'ivr', 'unknown']),
  text: z.string(),
  startMs: z.number().optional(),
  endMs: z.number().optional(),
  acts: z.array(z.string()).default([]),
});
export type LabelledUtterance = z.infer<typeof LabelledUtterance>;

const common = {
  id: z.string(),
  language: z.string(),
  style: z.enum(['typed', 'spoken']).default('typed'),
  utterances: z.array(LabelledUtterance).min(1),
};

/** A call with a reader's answers by check; `contested` are those that another fair reader could give otherwise. */
const LabelledCall = z.object({
  ...common,
  trade: z.string().default('unknown'),
  answers: z.record(z.string(), CheckAnswer),
  compliance: z.record(z.string(), CheckAnswer).default({}),
  contested: z.array(z.string()).default([]),
  /** The same call with another thing said in one place, and the answers that this changes. */
  variants: z
    .array(
      z.object({
        changed: z.number(),
        text: z.string(),
        acts: z.array(z.string()).default([]),
        answers: z.record(z.string(), CheckAnswer),
      }),
    )
    .default([]),
});
export type LabelledCall = z.infer<typeof LabelledCall>;

/** A few utterances that are, or only sound like, something that an agent must not say. */
const Snippet = z.object({ ...common, truth: z.enum(['innocent', 'guilty']), target: z.number().optional() });
export type Snippet = z.infer<typeof Snippet> & { about: string };

type Side = { utterances: LabelledUtterance[]; answers: Record<string, CheckAnswer> };
/** Two calls that differ in one utterance, and in the answers that rest on it. */
export type Pair = Omit<z.infer<typeof LabelledCall>, 'utterances' | 'answers'> & { sides: [Side, Side] };

export type Labelled = { calls: LabelledCall[]; snippets: Snippet[]; pairs: Pair[] };

/** Reads lines of calls, of snippets with a `truth`, and of pairs, told apart by what they have. */
export function readLabelled(text: string): Labelled {
  const read: Labelled = { calls: [], snippets: [], pairs: [] };
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = z.record(z.string(), z.unknown()).parse(JSON.parse(line));
    try {
      if ('truth' in value) read.snippets.push({ ...Snippet.parse(value), about: aboutOf(value) });
      else if ('utterances' in value) read.calls.push(LabelledCall.parse(value));
      else read.pairs.push(readPair(value));
    } catch (cause) {
      throw new Error(`Line ${String(index + 1)} is no labelled call, snippet or pair.`, { cause });
    }
  }
  return read;
}

const ACCUSATIONS: Record<string, string> = {
  respect: 'professionalism.respect',
  pressure: 'compliance.pressure',
  sensitive: 'compliance.sensitive',
};

/** The check that a snippet is about, by its full or its short key, in whatever field it stands. */
function aboutOf(value: Record<string, unknown>): string {
  const keys = Object.values(value).flatMap((each) => {
    if (typeof each !== 'string') return [];
    return Object.values(ACCUSATIONS).includes(each) ? [each] : (ACCUSATIONS[each] ?? []);
  });
  const [key] = keys;
  if (key === undefined) throw new Error('A snippet says which check it is about.');
  return key;
}

/** A call and its variants, as calls of their own. */
export function withVariants(call: LabelledCall): LabelledCall[] {
  const { variants, ...own } = call;
  return [
    { ...own, variants: [] },
    ...variants.map(({ changed, text, acts, answers }, index): LabelledCall => {
      const unknown = Object.keys(answers).filter((key) => !(key in own.answers) && !(key in own.compliance));
      if (!own.utterances[changed] || unknown.length > 0)
        throw new Error(`Variant ${String(index + 1)} of ${own.id} changes what the call does not have.`);
      const utterances = own.utterances.map((each, at) => (at === changed ? { ...each, text, acts } : each));
      const some = Object.entries(answers);
      const inCompliance = Object.fromEntries(some.filter(([key]) => key in own.compliance));
      const inChecks = Object.fromEntries(some.filter(([key]) => key in own.answers));
      return {
        ...own,
        id: `${own.id} ${String(index + 1)}`,
        utterances,
        answers: { ...own.answers, ...inChecks },
        compliance: { ...own.compliance, ...inCompliance },
        variants: [],
      };
    }),
  ];
}

/** Either side is an object with `utterances` and `answers`: in two fields, or in a list of two. */
function readPair(value: Record<string, unknown>): Pair {
  const Side = z.object({
    utterances: common.utterances,
    answers: z.record(z.string(), CheckAnswer),
  });
  const objects = Object.values(value).flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [each]));
  const sides = objects.flatMap((each) => {
    const side = Side.safeParse(each);
    return side.success ? [side.data] : [];
  });
  const [first, second] = sides;
  if (!first || !second || sides.length > 2) throw new Error('A pair has two sides with utterances and answers.');
  const { id, language, style } = z.object(common).omit({ utterances: true }).parse(value);
  return { id, language, style, trade: 'pairs', compliance: {}, contested: [], variants: [], sides: [first, second] };
}

export const PARTS = ['learn', 'tune', 'hold'] as const;
export type Part = (typeof PARTS)[number];

/** To learn from, to set thresholds by, or to be looked at seldom: a third each, told by the id alone. */
export function partOf(id: string): Part {
  return PARTS[(createHash('sha256').update(id).digest()[0] ?? 0) % PARTS.length] ?? 'learn';
}

const WORD_MS = 400;
const PAUSE_MS = 300;

/** The call as it comes to be scored. Without times of its own, speech takes 0.4 s a word with 0.3 s between turns. */
export function toTranscript(
  { id, language, style, utterances }: Pick<LabelledCall, 'id' | 'language' | 'style' | 'utterances'>,
  given: 'language' | 'no language' = 'language',
): { transcript: Transcript; durationMs: number } {
  let atMs = 500;
  const segments = utterances.map(({ role, text, startMs, endMs }, index) => {
    const start = startMs ?? atMs;
    const end = endMs ?? start + Math.max(1, text.split(/\s+/u).length) * WORD_MS;
    atMs = end + PAUSE_MS;
    const place = { id: `seg_${String(index).padStart(5, '0')}`, index, channel: role === 'customer' ? 1 : 0 };
    return { ...place, speaker: `spk_${role}`, role, startMs: start, endMs: end, text, confidence: null, words: [] };
  });
  const roles = [...new Set(utterances.map(({ role }) => role))];
  const transcript: Transcript = {
    recordId: id,
    language: given === 'language' ? language : null,
    source: style === 'spoken' ? 'speech-to-text' : 'supplied',
    model: null,
    channels: 2,
    speakers: roles.map((role) => ({ id: `spk_${role}`, role, name: null })),
    segments,
    text: utterances.map(({ text }) => text).join('\n'),
  };
  return { transcript, durationMs: Math.max(...segments.map(({ endMs }) => endMs)) + 500 };
}
