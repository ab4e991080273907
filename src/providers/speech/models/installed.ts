import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { order } from './catalogue.ts';
import { isRecogniser, ModelManifest, type ModelKind, ModelName, type RecogniserKind } from './manifest.ts';

export const manifestFile = 'model.json';

export type InstalledModel = {
  name: string;
  kind: ModelKind;
  languages: string[];
  /** Absolute paths by role. */
  files: Record<string, string>;
  sizeBytes: number;
};

export type InstalledRecogniser = InstalledModel & { kind: RecogniserKind };

/** A folder without a usable model, and the reason. */
export type BrokenModel = { name: string; problem: string };

/** The folder of all models. */
export function modelsFolder(dataDir: string): string {
  return path.resolve(dataDir, 'models');
}

/** The installed models: those of the catalogue in its order, then others by name. */
export function listInstalled(folder: string): { models: InstalledModel[]; broken: BrokenModel[] } {
  const models: InstalledModel[] = [];
  const broken: BrokenModel[] = [];
  for (const name of modelFolders(folder)) {
    try {
      models.push(readModel(folder, name));
    } catch (error) {
      broken.push({ name, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  models.sort((a, b) => order(a.name) - order(b.name) || a.name.localeCompare(b.name));
  return { models, broken };
}

/** The recognisers among them, or only the one with that name. */
export function listRecognisers(folder: string, name?: string): InstalledRecogniser[] {
  return listInstalled(folder)
    .models.filter((model): model is InstalledRecogniser => isRecogniser(model.kind))
    .filter((model) => name === undefined || model.name === name);
}

/** Whether a recogniser knows a language, given as BCP 47 tag. An unknown language (null) always counts as known. */
export function knowsLanguage({ languages }: { languages: string[] }, language: string | null): boolean {
  const spoken = language?.split('-')[0]?.toLowerCase();
  return spoken === undefined || languages.includes('*') || languages.includes(spoken);
}

function modelFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ModelName.safeParse(entry.name).success)
    .map(({ name }) => name);
}

/** Throws an error with the path of a mistake in the manifest, or the missing file. */
function readModel(folder: string, name: string): InstalledModel {
  const manifestPath = path.join(folder, name, manifestFile);
  if (!existsSync(manifestPath)) throw new Error(`has no ${manifestFile}: it was not fetched completely`);
  const parsed = ModelManifest.safeParse(parseJson(readFileSync(manifestPath, 'utf8')));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${manifestFile}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`);
  }
  const { kind, languages, files } = parsed.data;
  const paths = Object.entries(files).map(([role, file]) => [role, path.join(folder, name, file)] as const);
  let sizeBytes = 0;
  for (const [, file] of paths) {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) throw new Error(`${path.basename(file)} is missing or empty`);
    sizeBytes += size;
  }
  return { name, kind, languages, files: Object.fromEntries(paths), sizeBytes };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
