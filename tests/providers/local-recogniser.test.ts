import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechResult } from '../../src/providers/speech/interface.ts';
import { createTranscriber, selectEngine } from '../../src/providers/speech/select.ts';
import { LocalBench } from '../support/models/local-engine.ts';
import {
  installModel,
  installToneRecogniser,
  installToneSpeakers,
  installToneVad,
} from '../support/models/tiny-models.ts';
import { ctcModel, tokensFile } from '../support/models/tone-recogniser.ts';
import { type Tone, toneRecording, writeTones } from '../support/models/tones.ts';
import { assignRoles } from '../../src/scoring/roles/voices.ts';

let bench: LocalBench;

beforeAll(async () => {
  bench = await LocalBench.open();
});
afterAll(() => bench.close());

const hz = { alpha: 450, bravo: 750, char: 1100, lie: 1500, delta: 2100, music: 2900 };

function tone(word: keyof typeof hz, startMs: number, lengthMs = 400): Tone {
  return { hz: hz[word], startMs, endMs: startMs + lengthMs };
}

async function hear(models: string, durationMs: number, tracks: Tone[][]): Promise<SpeechResult> {
  const audio = await toneRecording(await bench.makeFolder(), durationMs, tracks);
  return bench.transcribe(bench.engine({ modelsFolder: models }), audio);
}

function wordsOf({ utterances }: SpeechResult): [text: string, startMs: number][] {
  return utterances.flatMap(({ words }) => words.map(({ text, startMs }): [string, number] => [text, startMs]));
}

/** Models answer every 40 ms. */
const toleranceMs = 60;

function expectWords(heard: SpeechResult, expected: [text: string, startMs: number][]): void {
  const words = wordsOf(heard);
  expect(words.map(([text]) => text)).toEqual(expected.map(([text]) => text));
  const errorsMs = words.map(([, startMs], index) => Math.abs(startMs - (expected[index]?.[1] ?? 0)));
  expect(Math.max(...errorsMs)).toBeLessThanOrEqual(toleranceMs);
}

describe('local recogniser', () => {
  it('hears words with their times, joined from the parts that the model knows', async () => {
    const models = await bench.models(installToneRecogniser);
    const heard = await hear(models, 6000, [
      [tone('alpha', 1000), tone('bravo', 1600), tone('char', 2200, 200), tone('lie', 2400, 300), tone('delta', 4500)],
    ]);
    expectWords(heard, [
      ['alpha', 1000],
      ['bravo', 1600],
      ['charlie', 2200],
      ['delta', 4500],
    ]);
    expect(heard).toMatchObject({ model: 'local/tones', language: 'en' });
    expect(heard.utterances.map(({ text }) => text)).toEqual(['alpha bravo charlie', 'delta']);
    const words = heard.utterances.flatMap((utterance) => utterance.words);
    for (const { startMs, endMs } of words) expect(endMs).toBeGreaterThan(startMs);
  });

  it('keeps the times of words over the cuts of a long recording', async () => {
    const order = ['alpha', 'bravo', 'delta'] as const;
    const minutes = 3;
    const tones = Array.from({ length: minutes * 100 }, (_, index) =>
      tone(order[index % 3] ?? 'alpha', index * 600, 450),
    );
    const heard = await hear(await bench.models(installToneRecogniser), minutes * 60_000, [tones]);
    expect(heard.utterances.length).toBeGreaterThan(minutes * 2);
    expectWords(
      heard,
      tones.map(({ startMs }, index) => [order[index % 3] ?? '', startMs]),
    );
  });

  it('recognises each track by itself and leaves out one that is silent', async () => {
    const models = await bench.models(installToneRecogniser);
    const heard = await hear(models, 4000, [[tone('alpha', 500)], [], [tone('bravo', 2000)]]);
    const told = heard.utterances.map(({ channel, text }) => [channel, text]);
    expect(told).toEqual([
      [0, 'alpha'],
      [2, 'bravo'],
    ]);
  });

  it('makes no words of hold music where a model for speech is present', async () => {
    const tones = [tone('alpha', 1000), tone('music', 3000, 8000), tone('bravo', 13_000)];
    const alone = await hear(await bench.models(installToneRecogniser), 15_000, [tones]);
    expect(wordsOf(alone).map(([text]) => text)).toContain('music');
    const both = await hear(await bench.models(installToneRecogniser, installToneVad), 15_000, [tones]);
    expectWords(both, [
      ['alpha', 1000],
      ['bravo', 13_000],
    ]);
  });

  it('hears nothing in silence', async () => {
    const models = await bench.models(installToneRecogniser, installToneVad);
    const audio = await toneRecording(await bench.makeFolder(), 5000, [[tone('alpha', 0, 10)]]);
    await writeTones(audio.voices[0]?.path ?? '', 5000, []);
    expect(await bench.transcribe(bench.engine({ modelsFolder: models }), audio)).toMatchObject({ utterances: [] });
  });

  it('takes the model that is named, else one that knows the language', async () => {
    const install = (name: string, languages: string[]) => (folder: string) =>
      installModel(folder, name, { kind: 'nemo-ctc', languages, files: { model: ctcModel(), tokens: tokensFile() } });
    const modelsFolder = await bench.models(install('deutsch', ['de']), install('english', ['en']));
    const audio = await toneRecording(await bench.makeFolder(), 2000, [[tone('alpha', 500)]]);
    const modelFor = async (language: string | null, model?: string): Promise<string> =>
      (await bench.transcribe(bench.engine({ modelsFolder, model }), audio, { language })).model;
    expect(await modelFor('en-GB')).toBe('local/english');
    expect(await modelFor('de')).toBe('local/deutsch');
    expect(await modelFor(null, 'english')).toBe('local/english');
    await expect(modelFor('fr')).rejects.toMatchObject({
      code: 'SPEECH_LANGUAGE_UNSUPPORTED',
      message: expect.stringContaining('(deutsch, english) knows the recording\'s language "fr"'),
    });
    await expect(modelFor('en', 'whisper-small')).rejects.toMatchObject({
      code: 'SPEECH_ENGINE_MISSING',
      message: expect.stringContaining('models pull whisper-small'),
    });
  });

  it('tells the two voices of one track apart, word by word', async () => {
    const models = await bench.models(installToneRecogniser, installToneVad, installToneSpeakers);
    const track = Array.from({ length: 5 }, (_, index) => index * 5000).flatMap((at) => [
      tone('alpha', at + 500, 700),
      tone('bravo', at + 1300, 700),
      tone('delta', at + 2050, 900),
    ]);
    const mono = await hear(models, 25_000, [track]);
    const said = Map.groupBy(mono.utterances, ({ voice }) => voice);
    expect([...said.values()].map((all) => new Set(all.map(({ text }) => text)))).toEqual([
      new Set(['alpha bravo']),
      new Set(['delta']),
    ]);
    expect(mono.utterances).toHaveLength(10);
    const stereo = await hear(models, 25_000, [track, []]);
    expect(new Set(stereo.utterances.map(({ voice }) => voice))).toEqual(new Set([null]));
  });

  it('finds no second voice where there is only one', async () => {
    const models = await bench.models(installToneRecogniser, installToneVad, installToneSpeakers);
    const track = Array.from({ length: 8 }, (_, index) => tone('alpha', 500 + index * 1500, 700));
    const heard = await hear(models, 15_000, [track]);
    expect(new Set(heard.utterances.map(({ voice }) => voice))).toEqual(new Set([null]));
    expect(heard.utterances.length).toBeGreaterThan(0);
  });

  it('says that a model is unusable when its files are no model', async () => {
    const modelsFolder = await bench.models(installToneRecogniser);
    await writeFile(path.join(modelsFolder, 'tones', 'model.onnx'), 'this is no model');
    const audio = await toneRecording(await bench.makeFolder(), 2000, [[tone('alpha', 500)]]);
    await expect(bench.transcribe(bench.engine({ modelsFolder }), audio)).rejects.toMatchObject({
      code: 'SPEECH_MODEL_UNUSABLE',
      retryable: false,
      message: expect.stringContaining('models pull tones'),
    });
  });
});

describe('SPEECH_ENGINE=auto', () => {
  it('prefers a model that is present to PocketSphinx, and a provider to both', async () => {
    const modelsFolder = await bench.models(installToneRecogniser);
    expect(selectEngine({ engine: 'auto', modelsFolder }).name).toBe('local');
    expect(selectEngine({ engine: 'auto', modelsFolder, deepgramApiKey: 'key' }).name).toBe('deepgram');
    expect(selectEngine({ engine: 'auto', modelsFolder: await bench.models(installToneVad) }).name).toBe(
      'pocketsphinx',
    );
    expect(selectEngine({ engine: 'auto', modelsFolder, model: 'another' }).name).toBe('pocketsphinx');
  });

  it('uses a model from the moment that it is there', async () => {
    const modelsFolder = await bench.models();
    const transcriber = createTranscriber({ settings: { engine: 'auto', modelsFolder }, assignRoles });
    try {
      const file = path.join(await bench.makeFolder(), 'call.wav');
      await writeTones(file, 4000, [tone('alpha', 1000), tone('delta', 2500)]);
      await installToneRecogniser(modelsFolder);
      const { transcript } = await transcriber.transcribe({
        recordId: 'rec_test',
        path: file,
        format: 'wav',
        workDir: await bench.makeFolder(),
        language: null,
        channelMap: null,
        agentName: null,
        signal: AbortSignal.timeout(30_000),
      });
      expect(transcript).toMatchObject({ model: 'local/tones', text: 'alpha\ndelta' });
    } finally {
      await transcriber.close();
    }
  });
});
