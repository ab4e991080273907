import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type HeardTokens, toWords } from '../../src/providers/speech/local/token-words.ts';
import type { HeardWord } from '../../src/providers/speech/interface.ts';
import { childrenRunning, LocalBench } from '../support/models/local-engine.ts';
import { installOtherFamilies } from '../support/models/tiny-models.ts';
import { toneRecording } from '../support/models/tones.ts';

let bench: LocalBench;

beforeAll(async () => {
  bench = await LocalBench.open();
});
afterEach(() => bench.closeEngines());
afterAll(() => bench.close());

/** "alpha charlie", a pause, "delta": the second word in two parts. */
const tones = [
  { hz: 450, startMs: 1000, endMs: 1400 },
  { hz: 1100, startMs: 1600, endMs: 1800 },
  { hz: 1500, startMs: 1800, endMs: 2100 },
  { hz: 2100, startMs: 4000, endMs: 4500 },
];

async function wordsBy(family: keyof typeof installOtherFamilies): Promise<HeardWord[]> {
  const modelsFolder = await bench.models(installOtherFamilies[family]);
  const audio = await toneRecording(await bench.makeFolder(), 6000, [tones]);
  const heard = await bench.transcribe(bench.engine({ modelsFolder }), audio);
  expect(heard.model).toBe(`local/${family}`);
  return heard.utterances.flatMap(({ words }) => words);
}

describe('families of models', () => {
  it('a token-and-duration transducer such as Parakeet gives times and confidences', async () => {
    const words = await wordsBy('transducer');
    expect(words.map(({ text }) => text)).toEqual(['alpha', 'charlie', 'delta']);
    for (const [index, startMs] of [1000, 1600, 4000].entries()) {
      expect(Math.abs((words[index]?.startMs ?? 0) - startMs)).toBeLessThanOrEqual(60);
    }
    for (const { confidence } of words) expect(confidence).toBeGreaterThan(0.5);
  });

  it.each(['moonshine', 'whisper'] as const)(
    '%s gives words, which are spread over what was spoken',
    async (family) => {
      const words = await wordsBy(family);
      expect(words).toEqual([
        { text: 'alpha', startMs: expect.any(Number), endMs: expect.any(Number), confidence: null },
        { text: 'charlie', startMs: expect.any(Number), endMs: expect.any(Number), confidence: null },
        { text: 'delta', startMs: expect.any(Number), endMs: expect.any(Number), confidence: null },
      ]);
      const [alpha, charlie, delta] = words;
      expect(alpha?.startMs).toBeGreaterThanOrEqual(950);
      expect(charlie?.startMs).toBeGreaterThanOrEqual(alpha?.endMs ?? 0);
      expect(charlie?.endMs).toBeLessThanOrEqual(2200);
      expect(delta?.startMs).toBeGreaterThanOrEqual(3950);
    },
  );

  it('Whisper is told the language, finds it out, and does not die of one that it does not know', async () => {
    const modelsFolder = await bench.models(installOtherFamilies.whisper);
    const audio = await toneRecording(await bench.makeFolder(), 6000, [tones]);
    const engine = bench.engine({ modelsFolder });
    const languageOf = async (language: string | null): Promise<string | null> =>
      (await bench.transcribe(engine, audio, { language })).language;
    expect(await languageOf('en-GB')).toBe('en-GB');
    const [pid] = await childrenRunning('local/child.ts');
    expect(await languageOf(null)).toBe('de');
    expect(await languageOf('tlh')).toBe('tlh');
    expect(await childrenRunning('local/child.ts')).toEqual([pid]);
  });
});

describe('words from tokens', () => {
  const place = { fromMs: 10_000, startMs: 10_200, endMs: 12_000 };
  const heard = (text: string, tokens: string[], further: Partial<HeardTokens> = {}): HeardTokens => ({
    text,
    tokens,
    timestamps: tokens.map((_, index) => 0.2 + index * 0.3),
    durations: [],
    logProbabilities: [],
    ...further,
  });

  it('keeps spelling and punctuation, which stand in tokens of their own', () => {
    const words = toWords(heard('Hello, world.', ['▁Hel', 'lo', ',', '▁world', '.']), place);
    expect(words.map(({ text, startMs }) => [text, startMs])).toEqual([
      ['Hello,', 10_200],
      ['world.', 11_100],
    ]);
  });

  it('never lets a word reach into the next one or out of what was spoken', () => {
    const words = toWords(
      heard('extraordinarily long', [' extraordinarily', ' long'], { timestamps: [0, 1.95] }),
      place,
    );
    expect(words[0]).toMatchObject({ startMs: 10_200, endMs: 10_975 });
    expect(words[1]).toMatchObject({ startMs: 11_950, endMs: 12_000 });
    const tight = toWords(heard('ab cd', [' ab', ' cd'], { timestamps: [0.5, 0.52] }), place);
    expect(tight[0]?.endMs).toBe(tight[1]?.startMs);
  });

  it('spreads the words where tokens spell something else, or one spells two words', () => {
    const spread = [
      { text: 'ten', startMs: 10_200, endMs: 10_800, confidence: null },
      { text: 'euros', startMs: 11_000, endMs: 12_000, confidence: null },
    ].map((word) => ({ ...word, startMs: expect.any(Number), endMs: expect.any(Number) }));
    expect(toWords(heard('ten euros', ['▁10', '€']), place)).toEqual(spread);
    expect(toWords(heard('ten euros', ['▁ten▁euros']), place)).toEqual(spread);
    expect(toWords(heard('ten euros', ['▁ten', '▁euros'], { timestamps: [] }), place)).toEqual(spread);
  });

  it('takes the confidence of a word from all of its tokens', () => {
    const logProbabilities = [Math.log(0.5), Math.log(0.5), 0];
    const words = toWords(heard('charlie a', ['▁char', 'lie', '▁a'], { logProbabilities }), place);
    expect(words.map(({ confidence }) => confidence)).toEqual([0.5, 1]);
  });

  it('makes no words of nothing', () => {
    expect(toWords(heard(' ', []), place)).toEqual([]);
  });
});
