import { loadConfig } from '../config/config.ts';
import { catalogue, companions, type CatalogueModel } from '../providers/speech/models/catalogue.ts';
import { listInstalled, modelsFolder } from '../providers/speech/models/installed.ts';
import { isRecogniser } from '../providers/speech/models/manifest.ts';
import { ModelError } from '../providers/speech/models/model-error.ts';
import { pullModel, type PullProgress, removeModel } from '../providers/speech/models/pull.ts';
import { table, type Result } from './output.ts';

type Row = {
  name: string;
  kind: string;
  languages: string[];
  sizeBytes: number;
  present: boolean;
  note: string;
  /** Where each file comes from, for mirrors. Empty for a custom model. */
  files: { url: string; sizeBytes: number; sha256: string | null }[];
};

/** Lists installed models and those that can be fetched. Needs no database. */
export function listModels(): Result {
  const folder = modelsFolder(loadConfig().DATA_DIR);
  const { models, broken } = listInstalled(folder);
  const present: Row[] = models.map(({ name, kind, languages, sizeBytes }) => {
    const model = catalogue.find((one) => one.name === name);
    const note = model?.description ?? 'not in the catalogue';
    return { name, kind, languages, sizeBytes, present: true, note, files: sourcesOf(model) };
  });
  const known = new Set(present.map(({ name }) => name));
  const absent: Row[] = catalogue
    .filter(({ name }) => !known.has(name))
    .map((model) => {
      const { name, kind, languages, description } = model;
      const files = sourcesOf(model);
      const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
      const problem = broken.find((one) => one.name === name)?.problem;
      return { name, kind, languages, sizeBytes, present: false, note: problem ?? description, files };
    });
  const others = broken.filter(({ name }) => !catalogue.some((model) => model.name === name));
  const lines = [...present, ...absent].map(({ name, kind, sizeBytes, languages, note, ...row }) => [
    name,
    row.present ? 'present' : '-',
    kind,
    megabytes(sizeBytes),
    languages.length > 3 ? `${languages.length} languages` : languages.join(', ').replace('*', 'all') || '-',
    note,
  ]);
  for (const { name, problem } of others) lines.push([name, 'broken', '-', '-', '-', problem]);
  return {
    data: { folder, models: [...present, ...absent], broken: others },
    text: table([['MODEL', 'STATE', 'KIND', 'SIZE', 'LANGUAGES', ''], ...lines]),
  };
}

function sourcesOf(model: CatalogueModel | undefined): Row['files'] {
  return (model?.files ?? []).map(({ url, sizeBytes, sha256 = null }) => ({ url, sizeBytes, sha256 }));
}

export type PullFlags = { alone?: boolean; sha256?: string[] };

/** Fetches a model of the catalogue and, with a recogniser, the companions that every recogniser uses. */
export async function pull(name: string, { alone = false, sha256 = [] }: PullFlags): Promise<Result> {
  const { DATA_DIR, MODELS_URL } = loadConfig();
  const folder = modelsFolder(DATA_DIR);
  const model = findModel(name);
  const known = new Set(listInstalled(folder).models.map((installed) => installed.name));
  const along = alone || !isRecogniser(model.kind) ? [] : companions.filter((other) => !known.has(other));
  const checksums = Object.fromEntries(sha256.map(parseChecksum));
  const unknown = Object.keys(checksums).filter((file) => !model.files.some((known) => known.name === file));
  if (unknown.length > 0) throw new ModelError(`${name} has no file ${unknown.join(', ')}.`);
  const onProgress = progressLine();
  const pulled = [];
  for (const one of [...along.map(findModel), model]) {
    pulled.push(
      await pullModel({
        folder,
        model: one,
        mirror: MODELS_URL,
        checksums: one === model ? checksums : {},
        onProgress,
      }),
    );
  }
  const text = pulled.map((one) => `${one.name} is installed (${megabytes(one.sizeBytes)}).`).join('\n');
  return { data: { folder, models: pulled }, text: `${text}\nThe license of ${name}: ${model.license}.` };
}

export async function remove(name: string): Promise<Result> {
  const folder = modelsFolder(loadConfig().DATA_DIR);
  await removeModel(folder, name);
  return { data: { folder, name }, text: `Removed ${name}.` };
}

function findModel(name: string): CatalogueModel {
  const model = catalogue.find((one) => one.name === name);
  if (model) return model;
  throw new ModelError(`There is no model "${name}" in the catalogue: ${catalogue.map((one) => one.name).join(', ')}.`);
}

function parseChecksum(text: string): [file: string, sha256: string] {
  const [, file, sum] = /^([^=]+)=([0-9a-f]{64})$/i.exec(text) ?? [];
  if (!file || !sum) throw new ModelError(`Expected FILE=CHECKSUM with 64 hexadecimal digits, not "${text}".`);
  return [file, sum.toLowerCase()];
}

/** A line that is redrawn on a terminal. */
function progressLine(): (progress: PullProgress) => void {
  let shown = '';
  return ({ model, file, doneBytes, sizeBytes }) => {
    const line = `${model}: ${file} ${Math.floor((doneBytes / sizeBytes) * 100)} % of ${megabytes(sizeBytes)}`;
    if (!process.stderr.isTTY || line === shown) return;
    shown = line;
    process.stderr.write(`\r\u001B[K${line}${doneBytes === sizeBytes ? '\n' : ''}`);
  };
}

function megabytes(sizeBytes: number): string {
  return sizeBytes < 1e6 ? `${Math.ceil(sizeBytes / 1e3)} kB` : `${Math.round(sizeBytes / 1e6)} MB`;
}
