import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scorecard } from '../../src/model/scorecard.ts';
import { CheckDetector } from '../../src/model/checks.ts';
import { MetricName, Phrases } from '../../src/model/rubric-parts.ts';
import { Rubric } from '../../src/model/rubric.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import { TooExpensiveError } from '../../src/lib/too-expensive.ts';
import { readConversation } from '../../src/scoring/conversation/conversation.ts';
import { createFinder } from '../../src/scoring/conversation/finder.ts';
import { scoreCall } from '../support/score-call.ts';
import { compilePhrases } from '../../src/model/text/compile-phrases.ts';
import { findIndexed, findPhrases, indexWords } from '../../src/scoring/text/phrases.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { WORDS_MAX } from '../../src/scoring/text/work.ts';
import { call, storedCalls, storedTranscript, transcriptOf, type Line } from './corpus.ts';
import { german } from './languages/german.ts';
import { russian } from './languages/russian.ts';
import { spanish } from './languages/spanish.ts';
import { processorMsOf } from '../support/processor-time.ts';

const WORDS =
  'hello how can i help you thank bye the a so not no um 14 fourteen größe für días ещё нет что-нибудь привет 日本 © [noise] (a+)+ constructor don’t';
const word = fc.constantFrom(...WORDS.split(' '));
const place = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join('/')) },
  { weight: 1, arbitrary: fc.constant('*') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
);
const phrase = fc.array(place, { minLength: 1, maxLength: 12 }).map((places) => places.join(' '));
const valid = phrase.filter((text) => Phrases.safeParse([text]).success);
const phrases = fc.array(valid, { minLength: 1, maxLength: 6 });
const language = fc.constantFrom('de', 'es', 'ru', 'fr');
const wording = fc.record({ phrases, ignore: phrases, elsewherePhrases: phrases }, { requiredKeys: ['phrases'] });
const where = fc.oneof(
  fc.constantFrom('whole', 'firstHalf', 'secondHalf', 'betweenGreetingAndClosing').map((part) => ({ part })),
  fc.record({ part: fc.constantFrom('firstTurns', 'lastTurns'), turns: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ part: fc.constantFrom('firstSeconds', 'lastSeconds'), seconds: fc.integer({ min: 1, max: 3600 }) }),
);
const spoken = {
  role: fc.constantFrom('agent', 'customer', 'anyone'),
  where,
  phrases,
  ignore: fc.option(phrases, { nil: undefined }),
  ignoreNegated: fc.boolean(),
  translations: fc.option(fc.dictionary(language, wording, { maxKeys: 3 }), { nil: undefined }),
};
const metric = fc.constantFrom(...MetricName.options);
const number = fc.oneof(fc.integer({ min: -5, max: 300 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const limits = fc.oneof(
  fc.tuple(number, number).map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) })),
  number.map((below) => ({ below })),
  number.map((above) => ({ above })),
);
/** Keys that every object has are keys like any other. */
const key = fc.constantFrom(
  'a',
  'b',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'greeting.opens',
  'problem.details',
  'professionalism.respect',
  'closing.more',
  'x.y-z_1',
);
const condition = fc.oneof(
  fc.record({ kind: fc.constant('phrase'), expect: fc.constantFrom('present', 'absent'), ...spoken }),
  fc.record({ kind: fc.constant('metric'), metric, limits }),
  fc.record({
    kind: fc.constant('answer'),
    check: fc.constant('first'),
    answers: fc.subarray(['pass', 'partial', 'fail'], { minLength: 1 }),
  }),
);
const base = {
  key,
  title: fc.constantFrom('Greets', 'Offers the plan', 'What is it?', 'The price is named', '…'),
  appliesWhen: fc.option(condition, { nil: undefined }),
};
const measured = fc.array(fc.record({ metric, pass: limits, partial: fc.option(limits, { nil: undefined }) }), {
  minLength: 1,
  maxLength: 3,
});
const weight = fc.oneof(fc.constantFrom(1, 3, 5e-324, 1000, 0), fc.double({ min: 0.001, max: 1000, noNaN: true }));
const exemptions = fc.subarray(['midCallStart', 'needStatedFirst', 'customerEndsFirst', 'unknownSpeakers']);
const detector = fc.constantFrom(null, ...CheckDetector.options);
const asked = { kind: fc.constant('model'), question: fc.constant('Is it so?') };
const check = fc.oneof(
  fc.record({
    ...base,
    ...spoken,
    weight,
    exemptions,
    critical: fc.boolean(),
    kind: fc.constant('phrase'),
    expect: fc.constantFrom('present', 'absent'),
    elsewhere: fc.constantFrom('fail', 'partial'),
    elsewherePhrases: fc.option(phrases, { nil: undefined }),
    times: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  }),
  fc.record({ ...base, weight, exemptions, critical: fc.boolean(), kind: fc.constant('metric'), limits: measured }),
  fc.record({ ...base, ...asked, weight, exemptions, critical: fc.boolean(), detector }),
);
const ruleBase = { ...base, severity: fc.constantFrom('low', 'medium', 'high'), enabled: fc.boolean() };
const rule = fc.oneof(
  fc.record({ ...ruleBase, ...spoken, kind: fc.constant('phrase'), expect: fc.constantFrom('present', 'absent') }),
  fc.record({ ...ruleBase, kind: fc.constant('metric'), limits: measured }),
  fc.record({ ...ruleBase, ...asked, detector: fc.constantFrom(null, 'sensitiveData', 'pressure') }),
);
const categories = fc.array(
  fc.record({
    key,
    title: fc.constant('C'),
    weight,
    critical: fc.boolean(),
    checks: fc.array(check, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);
/** Whatever the schema accepts of this is a profile that a customer may save. */
const written = fc.record({
  languages: fc.constantFrom(
    undefined,
    [],
    ['en', 'de', 'es', 'ru', 'fr'],
    ['en', 'de', 'es', 'ru', 'fr'],
    ['de', 'es'],
  ),
  categories,
  compliance: fc.array(rule, { maxLength: 3 }),
});

const calls: Line[][] = [
  ...storedCalls()
    .slice(0, 4)
    .map((stored) => storedTranscript(stored, 'asr')),
  ...[german, spanish, russian].flatMap((each) => [call(each.sales.good), call(each.support.bad)]),
].map(({ transcript }) => transcript.segments);
const transcript = fc
  .tuple(
    fc.constantFrom(...calls),
    fc.array(fc.tuple(fc.nat(80), fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 4 }),
    fc.constantFrom('en', 'de', 'ru', 'fr', null, 'zz-ZZ'),
  )
  .map(([lines, noise, language]): Transcript => {
    const mutated = lines.map((line) => ({ ...line }));
    for (const [at, text] of noise) {
      const line = mutated[at % mutated.length];
      if (line) Object.assign(line, { text, role: at % 3 === 0 ? 'unknown' : line.role });
    }
    return { ...transcriptOf(mutated), language };
  });

type Draft = {
  categories: { key: string; checks: { key: string; appliesWhen?: { kind: string } | undefined }[] }[];
  compliance: { key: string }[];
};

/** Tells the keys of a random profile apart, and gives the conditions a check to speak of. */
function parseDistinct(draft: Draft) {
  let count = 0;
  for (const category of draft.categories) category.key += String(++count);
  const rules = [...draft.categories.flatMap(({ checks }) => checks), ...draft.compliance];
  const seen = new Set<string>();
  for (const each of rules) {
    if (seen.has(each.key)) each.key += `.${String(++count)}`;
    seen.add(each.key);
  }
  const first = draft.categories[0]?.checks[0];
  if (first) first.key = 'first';
  if (first?.appliesWhen?.kind === 'answer') delete first.appliesWhen;
  return Rubric.safeParse(JSON.parse(JSON.stringify(draft)));
}

describe('a profile that passes validation', () => {
  it('can always be scored: within 0 and 100, with quotes of the call, and the same again', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(written, transcript, (draft, spokenCall) => {
        const parsed = parseDistinct(structuredClone(draft));
        if (!parsed.success) return void (refused += 1);
        accepted += 1;
        const input = { transcript: spokenCall, durationMs: 120_000, rubric: parsed.data };
        const scorecard = scoreCall(input);
        expect(() => Scorecard.parse(scorecard)).not.toThrow();
        const texts = new Map(spokenCall.segments.map(({ id, text }) => [id, text]));
        for (const { evidence } of [...scorecard.checks, ...scorecard.complianceFindings]) {
          for (const { segmentId, quote } of evidence) expect(texts.get(segmentId)).toContain(quote);
        }
        expect([...scorecard.improvements, scorecard.summary].join(' ')).not.toMatch(
          /undefined|\[object|NaN|native code/u,
        );
        expect(scoreCall(structuredClone(input))).toEqual(scorecard);
      }),
      { numRuns: 60, seed: 44 },
    );
    expect(accepted).toBeGreaterThan(25);
    expect(refused).toBeGreaterThan(0);
  }, 180_000);
});

describe('hostile phrases', () => {
  const rubricOf = (all: string[], checks = 1): unknown => ({
    categories: [
      {
        key: 'c',
        title: 'C',
        weight: 1,
        checks: Array.from({ length: checks }, (_, index) => ({
          key: `k${String(index)}`,
          title: 'T',
          weight: 1,
          kind: 'phrase',
          phrases: all,
        })),
      },
    ],
    compliance: [],
  });

  it.each([
    ['the same word again and again', `${'a '.repeat(29)}b`, 'a '.repeat(1000)],
    ['words that may be one or two', `${'aaa/aaaaaa '.repeat(25)}b`, 'aaa '.repeat(1000)],
    ['words that sound alike', `${'buy/by/bye '.repeat(24)}end`, 'bay '.repeat(1000)],
    ['gaps between them', `so * so * so * so ${'so '.repeat(20)}end`, 'so '.repeat(1000)],
  ])('of %s give up after a bounded number of steps', (_, source, text) => {
    const set = compilePhrases([source]);
    const tokens = createTokenReader()(text);
    expect(processorMsOf(() => findPhrases(tokens, set))).toBeLessThan(4000);
  });

  it('end the search once they have cost what a call allows, however long it is, and the next call starts afresh', () => {
    const sets = Array.from({ length: 300 }, (_, index) =>
      compilePhrases(Array.from({ length: 9 }, (_, n) => `a b a b a b a b a b x${String(index)} y${String(n)}`)),
    );
    const finderOf = (text: string) => {
      const transcript = transcriptOf([{ role: 'agent', startMs: 0, endMs: 60_000, text }]);
      return createFinder(readConversation(transcript, 60_000));
    };
    const endless = finderOf('a b '.repeat(WORDS_MAX / 2));
    let searched = 0;
    const search = () =>
      sets.forEach((set) => {
        endless.findWithin(set, 'agent');
        searched += 1;
      });
    expect(search).toThrow(expect.objectContaining({ name: 'TooExpensiveError', expense: 'steps' }));
    expect(searched).toBeLessThan(sets.length / 2);
    // Nothing is collected, sorted or compared once it is over.
    expect(processorMsOf(() => expect(search).toThrow(TooExpensiveError))).toBeLessThan(500);
    const short = finderOf('hello there');
    expect(sets.map((set) => short.findWithin(set, 'agent'))).toEqual(sets.map(() => []));
  });

  it('are counted where they are looked for, not only where they are compared', () => {
    const words = createTokenReader()('a b '.repeat(WORDS_MAX / 2));
    const index = indexWords(words);
    const set = compilePhrases(['a b c', 'b a c']);
    const work = { left: 1000 };
    // Words that stand everywhere: to collect their places alone is more than is left.
    expect(() => findIndexed({ index, set, endOf: () => words.length, work })).toThrow(TooExpensiveError);
    expect(
      processorMsOf(() =>
        expect(() => findIndexed({ index, set, endOf: () => words.length, work })).toThrow(TooExpensiveError),
      ),
    ).toBeLessThan(50);
  });

  const problemOf = (rubric: unknown): string => {
    const parsed = Rubric.safeParse(rubric);
    return parsed.success
      ? ''
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
  };
  const letters = [...'abcdefghij'];
  const wide = letters
    .slice(0, 7)
    .flatMap((one) => letters.map((other) => `x${one}${other}`))
    .join('/');
  const first = 'categories.0.checks.0.phrases.0';

  it.each([
    [['um'], `${first}: A phrase needs at least one word: fillers such as "um" and "hm" are not listened for.`],
    [['a '.repeat(31)], `${first}: At most 30 words in a phrase.`],
    [[wide], `${first}: At most 64 alternatives for one place.`],
    [
      ['a-b/c-d/e-f/g-h '.repeat(4)],
      `${first}: Its alternatives of several words can be put together in more than 64 ways`,
    ],
    [['a * b * c * d * e'], `${first}: At most three gaps (*).`],
  ])('that are too long, too wide or nothing at all are refused: %j', (list, message) => {
    expect(problemOf(rubricOf(list))).toContain(message);
  });

  it('that are too many all together are refused at the check that is one too many', () => {
    const many = Array.from({ length: 300 }, () => 'a b c d e f g h i j k l m n o p q r s t');
    expect(problemOf(rubricOf(many, 12))).toMatch(
      /^categories\.0\.checks\.10: Up to here the phrases have more than 60000 words/u,
    );
    expect(problemOf(rubricOf(many, 10))).toBe('');
  });
});
