import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { moonshineModel, moonshineTokens } from './tone-moonshine.ts';
import { ctcModel, tokensFile, toneTokens } from './tone-recogniser.ts';
import { embeddingModel, segmentationModel } from './tone-speakers.ts';
import { transducerModel } from './tone-transducer.ts';
import { vadModel } from './tone-vad.ts';
import { whisperModel, whisperTokens } from './tone-whisper.ts';

type ModelFiles = Record<string, Buffer | string>;

/** Writes a model of the tests into a folder of models, as a fetched one lies there. */
export async function installModel(
  folder: string,
  name: string,
  model: { kind: string; languages?: string[]; files: ModelFiles },
): Promise<void> {
  const target = path.join(folder, name);
  await mkdir(target, { recursive: true });
  const files: Record<string, string> = {};
  for (const [role, content] of Object.entries(model.files)) {
    files[role] = role === 'tokens' ? 'tokens.txt' : `${role}.onnx`;
    await writeFile(path.join(target, files[role]), content);
  }
  const { kind, languages = [] } = model;
  await writeFile(path.join(target, 'model.json'), JSON.stringify({ kind, languages, files }));
}

/** A recogniser that takes tones for words. */
export function installToneRecogniser(folder: string, name = 'tones'): Promise<void> {
  return installModel(folder, name, {
    kind: 'nemo-ctc',
    languages: ['en'],
    files: { model: ctcModel(), tokens: tokensFile() },
  });
}

/** The same as a transducer, as Moonshine and as Whisper: `transducer`, `moonshine` and `whisper`. */
export const installOtherFamilies = {
  async transducer(folder: string): Promise<void> {
    const files = { ...transducerModel(), tokens: tokensFile() };
    await installModel(folder, 'transducer', { kind: 'nemo-transducer', languages: ['en'], files });
  },
  async moonshine(folder: string): Promise<void> {
    const files = { ...moonshineModel(), tokens: moonshineTokens() };
    await installModel(folder, 'moonshine', { kind: 'moonshine', languages: ['en'], files });
  },
  async whisper(folder: string): Promise<void> {
    const files = { ...whisperModel(), tokens: whisperTokens() };
    await installModel(folder, 'whisper', { kind: 'whisper', languages: ['*'], files });
  },
};

/** Takes every tone below 2.5 kHz for speech; what is above is music. */
export function installToneVad(folder: string): Promise<void> {
  return installModel(folder, 'tone-vad', { kind: 'vad', files: { model: vadModel() } });
}

/** Takes the two lowest tones for one voice and the others for another. */
export function installToneSpeakers(folder: string): Promise<void> {
  const [first, second, ...others] = toneTokens.map(({ hz }) => hz);
  const voices = { low: [first, second].filter((hz) => hz !== undefined), high: others };
  return installModel(folder, 'tone-speakers', {
    kind: 'speakers',
    files: { segmentation: segmentationModel(voices), embedding: embeddingModel() },
  });
}
