import { z } from 'zod';
import { EXPANSIONS_MAX, measurePhrase } from './text/compile-phrases.ts';

export const Key = z
  .string()
  .max(80)
  .regex(
    /^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/u,
    'Use letters and digits, parted by dots, dashes or underscores.',
  );

const PLACES_MAX = 30;
const CHOICES_MAX = 64;
const LANGUAGES_MAX = 12;

const phrase = z
  .string()
  .min(2)
  .max(300)
  .superRefine((text, ctx) => {
    const message = phraseProblem(text);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  });

export const Phrases = z
  .array(phrase)
  .min(1)
  .max(300)
  .meta({
    description:
      'Plain words, whatever their case and accents. `a/b` are alternatives for one place, `*` stands for up to three words. Never a regular expression; small recognition errors are tolerated.',
    examples: [['thank you for calling', 'how can/may i help']],
  });

export const Language = z
  .string()
  .regex(/^[a-z]{2,3}$/u, 'Use the two or three letters of a language, such as en, de, es or ru.')
  .meta({ description: 'Language without region (ISO 639): `en`, `de`, `es`, `ru` …', examples: ['en'] });

const ignore = Phrases.meta({ description: 'Phrases that look like a hit and are none, e.g. "nothing else".' });
const elsewherePhrases = Phrases.meta({ description: 'Further phrases that count outside the part only.' });

/** The phrases of a rule in one language. */
export const Wording = z.strictObject({
  phrases: Phrases,
  ignore: ignore.optional(),
  elsewherePhrases: elsewherePhrases.optional(),
});
export type Wording = z.infer<typeof Wording>;

export const Translations = z
  .record(Language, Wording)
  .refine((wordings) => Object.keys(wordings).length <= LANGUAGES_MAX, `At most ${String(LANGUAGES_MAX)} languages.`)
  .meta({
    maxProperties: LANGUAGES_MAX,
    description:
      'What is listened for instead in calls of another language, by language. A call whose language is unknown is searched for all of them.',
  });

export type Translations = z.infer<typeof Translations>;

/** Which part of the call to search. Turns are counted for the party of the rule. */
export const Part = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('whole') }),
  z.strictObject({ part: z.literal('firstTurns'), turns: z.int().min(1).max(100) }),
  z.strictObject({ part: z.literal('lastTurns'), turns: z.int().min(1).max(100) }),
  z.strictObject({ part: z.literal('firstSeconds'), seconds: z.int().min(1).max(3600) }),
  z.strictObject({ part: z.literal('lastSeconds'), seconds: z.int().min(1).max(3600) }),
  z.strictObject({ part: z.literal('firstHalf') }),
  z.strictObject({ part: z.literal('secondHalf') }),
  z.strictObject({ part: z.literal('betweenGreetingAndClosing') }),
]);
export type Part = z.infer<typeof Part>;

const role = z.enum(['agent', 'customer', 'anyone']).default('agent').meta({ description: 'Who has to say it.' });

/** Fields that every rule made of phrases has, be it a check, a compliance rule or a condition. */
export const spoken = {
  role,
  where: Part.default({ part: 'whole' }),
  phrases: Phrases,
  ignore: ignore.optional(),
  ignoreNegated: z
    .boolean()
    .optional()
    .meta({ description: 'A phrase does not count after a negation in the four words before it ("will not …").' }),
  translations: Translations.optional(),
};

export const MetricName = z.enum([
  'agentInterruptions',
  'customerInterruptions',
  'agentOverlapPercent',
  'agentWordsPerMinute',
  'customerWordsPerMinute',
  'agentTalkPercent',
  'longestMonologueSeconds',
  'longestSilenceSeconds',
  'nonTalkSeconds',
  'durationSeconds',
  'customerSentiment',
  'agentSentiment',
]);
export type MetricName = z.infer<typeof MetricName>;

const bound = (description: string) => z.number().optional().meta({ description });

export const Limits = z
  .strictObject({
    min: bound('At least this.'),
    above: bound('More than this.'),
    max: bound('At most this.'),
    below: bound('Less than this.'),
  })
  .refine((limits) => Object.values(limits).some((value) => value !== undefined), 'Give min, above, max or below.')
  .refine(isReachable, 'min must not exceed max or below.')
  .meta({ minProperties: 1, description: 'At least one of them, and not a range that holds nothing.' });
export type Limits = z.infer<typeof Limits>;

type Bounds = { [Name in 'min' | 'above' | 'max' | 'below']?: number | undefined };

function isReachable({ min, above, max, below }: Bounds): boolean {
  const from = Math.max(min ?? -Infinity, above ?? -Infinity);
  const to = Math.min(max ?? Infinity, below ?? Infinity);
  const isOpen = (above !== undefined && above === from) || (below !== undefined && below === to);
  return isOpen ? from < to : from <= to;
}

/** Why a phrase cannot be used; null if it can. */
function phraseProblem(text: string): string | null {
  if (text.includes('\0')) return 'A phrase must not contain NUL.';
  if (!/[\p{L}\p{N}]/u.test(text)) return 'A phrase needs at least one word.';
  if (text.split(/\s+/u).filter((part) => part === '*').length > 3) return 'At most three gaps (*).';
  const { places, variants, choicesMax } = measurePhrase(text);
  if (places === 0) return 'A phrase needs at least one word: fillers such as "um" and "hm" are not listened for.';
  if (places > PLACES_MAX) return `At most ${String(PLACES_MAX)} words in a phrase.`;
  if (choicesMax > CHOICES_MAX) return `At most ${String(CHOICES_MAX)} alternatives for one place.`;
  if (variants > EXPANSIONS_MAX)
    return `Its alternatives of several words can be put together in more than ${String(EXPANSIONS_MAX)} ways: write several phrases.`;
  return null;
}
