import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ctcModel, tokensFile } from './tone-recogniser.ts';
import { vadModel } from './tone-vad.ts';

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

/** Takes every tone below 2.5 kHz for speech; what is above is music. */
export function installToneVad(folder: string): Promise<void> {
  return installModel(folder, 'tone-vad', { kind: 'vad', files: { model: vadModel() } });
}
