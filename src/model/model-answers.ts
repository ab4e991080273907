import { z } from 'zod';
import type { Question } from './question.ts';

/** What a model may answer. `cannot_tell` means that this part of the call does not show it. */
export const ModelVerdict = z.enum(['pass', 'partial', 'fail', 'not_applicable', 'cannot_tell']);
export type ModelVerdict = z.infer<typeof ModelVerdict>;

const limits = { answers: 500, quotes: 6, sentences: 8, improvements: 50, topics: 8, actionItems: 8 };

/** Too long values are cut and invalid entries dropped, so that one bad entry does not cost the others. */
const Quote = z.object({ segment: z.int().min(1).max(1_000_000), text: text(400) });
const Supported = z.object({ text: text(500), quotes: listOf(Quote, limits.quotes) });

/**
 * A model's answers about one window: limited in size and well-formed, but not verified yet. `id` is the question's id
 * in its prompt.
 */
export const ModelAnswers = z.object({
  answers: listOf(
    z.object({
      id: text(20),
      answer: ModelVerdict,
      rationale: text(500).catch(''),
      quotes: listOf(Quote, limits.quotes),
    }),
    limits.answers,
  ),
  summary: listOf(Supported, limits.sentences),
  improvements: listOf(z.object({ id: text(20), text: text(500) }), limits.improvements),
  topics: listOf(Supported, limits.topics),
  actionItems: listOf(Supported, limits.actionItems),
});
export type ModelAnswers = z.infer<typeof ModelAnswers>;
/** The same answers, keyed by question instead of by its position in a prompt. */
export type KeyedAnswers = Omit<ModelAnswers, 'answers' | 'improvements'> & {
  answers: (Omit<ModelAnswers['answers'][number], 'id'> & { ref: string })[];
  improvements: { ref: string; text: string }[];
};
export type ModelQuote = z.infer<typeof Quote>;
export type SupportedText = z.infer<typeof Supported>;

/** Null if it is no answer at all; the model is then asked to correct it. Unknown keys are dropped. */
export function readAnswers(value: unknown): ModelAnswers | null {
  const hasAnswers = z.object({ answers: z.array(z.unknown()) }).safeParse(value).success;
  return hasAnswers ? (ModelAnswers.safeParse(value).data ?? null) : null;
}

/** Answers to questions that were not asked are dropped. */
export function keyAnswers(
  { answers, improvements, ...texts }: ModelAnswers,
  questions: readonly Pick<Question, 'id' | 'ref'>[],
): KeyedAnswers {
  const refs = new Map(questions.map(({ id, ref }) => [id, ref]));
  const keyed = <T extends { id: string }>(said: readonly T[]): (Omit<T, 'id'> & { ref: string })[] =>
    said.flatMap(({ id, ...rest }) => {
      const ref = refs.get(id);
      return ref === undefined ? [] : [{ ref, ...rest }];
    });
  return { answers: keyed(answers), ...texts, improvements: keyed(improvements) };
}

const quote = object({ segment: { type: 'integer' }, text: { type: 'string' } });
const supported = object({ text: { type: 'string' }, quotes: { type: 'array', items: quote } });

/**
 * The JSON Schema that a model must answer in. It has no limits, as not every provider's structured output supports
 * them: limits apply when the answer is read.
 */
export const answersJsonSchema = object({
  answers: {
    type: 'array',
    items: object({
      id: { type: 'string' },
      quotes: { type: 'array', items: quote },
      rationale: { type: 'string' },
      answer: { type: 'string', enum: ModelVerdict.options },
    }),
  },
  summary: { type: 'array', items: supported },
  improvements: { type: 'array', items: object({ id: { type: 'string' }, text: { type: 'string' } }) },
  topics: { type: 'array', items: supported },
  actionItems: { type: 'array', items: supported },
});

type JsonObject = {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: false;
};

function object(properties: Record<string, object>): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Also removes what Postgres cannot store: NUL and lone surrogates. */
function text(lengthMax: number) {
  return z.string().transform((value) => value.slice(0, lengthMax).toWellFormed().replaceAll('\0', ''));
}

function listOf<T extends z.ZodType>(item: T, countMax: number) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((entries) =>
      entries.slice(0, countMax).flatMap((entry): z.output<T>[] => {
        const parsed = item.safeParse(entry);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}
