import { mkdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type CatalogueFile, type CatalogueModel, manifestOf } from './catalogue.ts';
import { checksumOf, download, type DownloadTiming } from './download.ts';
import { manifestFile } from './installed.ts';
import { ModelName } from './manifest.ts';
import { ModelError } from './model-error.ts';
import { acquireExclusiveLock, type HeldLock } from '../../../lib/file-lock.ts';

export type PullProgress = { model: string; file: string; doneBytes: number; sizeBytes: number };

export type PullRequest = {
  folder: string;
  model: CatalogueModel;
  /** Replaces the host of each file's address; the paths stay. */
  mirror?: string | undefined;
  /** Checksums by file, which override those of the catalogue. */
  checksums?: Record<string, string>;
  onProgress: (progress: PullProgress) => void;
  timing?: DownloadTiming;
};

/** Checksums of earlier downloads, so that the same name never becomes a different file unnoticed. */
const Lock = z.record(z.string(), z.record(z.string(), z.string()));
type Lock = z.infer<typeof Lock>;

const lockFile = 'checksums.json';
const spareBytes = 100_000_000;
const sumsTimeoutMs = 10_000;

/**
 * Fetches a model into the folder of models. It counts as installed once its manifest exists, which is written last.
 * Throws `ModelError`; another call resumes it.
 */
export async function pullModel(request: PullRequest): Promise<{ name: string; sizeBytes: number }> {
  await mkdir(path.join(request.folder, request.model.name), { recursive: true });
  const held = await holdModel(request.folder, request.model.name);
  try {
    return await pullHeld(request);
  } finally {
    held.release();
  }
}

async function pullHeld(request: PullRequest): Promise<{ name: string; sizeBytes: number }> {
  const { folder, model, checksums = {} } = request;
  const target = path.join(folder, model.name);
  await assertSpace(target, model);
  const lock = await readLock(folder);
  const sums: Record<string, string> = {};
  for (const file of model.files) {
    const expected = checksums[file.name] ?? file.sha256 ?? lock[model.name]?.[file.name];
    sums[file.name] = await pullFile(request, file, expected?.toLowerCase());
  }
  await rememberSums(folder, { [model.name]: sums });
  await writeWhole(path.join(target, manifestFile), manifestOf(model));
  return { name: model.name, sizeBytes: model.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** One process at a time fetches or removes a model; the lock ends with its process. Throws `ModelError`. */
async function holdModel(folder: string, name: string): Promise<HeldLock> {
  return acquireExclusiveLock({ path: path.join(folder, `.${name}.lock`), timeoutMs: 0 }).catch(() => {
    throw new ModelError(`Another process is working on ${name}. Try again when it is done.`);
  });
}

/** All models share the file, and several may be fetched at once. */
async function rememberSums(folder: string, sums: Lock): Promise<void> {
  const held = await acquireExclusiveLock({ path: path.join(folder, '.checksums.lock'), timeoutMs: sumsTimeoutMs });
  try {
    await writeWhole(path.join(folder, lockFile), { ...(await readLock(folder)), ...sums });
  } finally {
    held.release();
  }
}

/** Removes a model, complete or partial. Its checksums are kept. Throws `ModelError` if there is none. */
export async function removeModel(folder: string, name: string): Promise<void> {
  const target = path.join(folder, ModelName.parse(name));
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new ModelError(`There is no model "${name}" in ${folder}.`);
  const held = await holdModel(folder, name);
  try {
    // Without its manifest, the model counts as removed, whatever happens to the rest.
    await rm(path.join(target, manifestFile), { force: true });
    await rm(target, { recursive: true, force: true });
  } finally {
    held.release();
  }
}

async function pullFile(request: PullRequest, file: CatalogueFile, sha256: string | undefined): Promise<string> {
  const { folder, model, mirror, onProgress, timing = {} } = request;
  const target = path.join(folder, model.name, file.name);
  const { sizeBytes } = file;
  const report = (doneBytes: number): void => onProgress({ model: model.name, file: file.name, doneBytes, sizeBytes });
  if ((await sizeOf(target)) === sizeBytes) {
    const sum = await checksumOf(target);
    if (sha256 === undefined || sum === sha256) {
      report(sizeBytes);
      return sum;
    }
  }
  return download({
    url: mirror ? mirrored(file.url, mirror) : file.url,
    target,
    sizeBytes,
    sha256,
    onProgress: report,
    ...timing,
  });
}

async function assertSpace(target: string, { files }: CatalogueModel): Promise<void> {
  let neededBytes = spareBytes;
  for (const { name, sizeBytes } of files) {
    const file = path.join(target, name);
    neededBytes += sizeBytes - Math.min(sizeBytes, Math.max(await sizeOf(file), await sizeOf(`${file}.part`)));
  }
  const { bavail, bsize } = await statfs(target);
  if (bavail * bsize >= neededBytes) return;
  const [free, needed] = [bavail * bsize, neededBytes].map((bytes) => Math.round(bytes / 1e6));
  throw new ModelError(`There is too little space in ${target}: ${free} MB are free, ${needed} MB are needed.`);
}

function mirrored(url: string, mirror: string): string {
  return mirror.replace(/\/+$/, '') + new URL(url).pathname;
}

async function readLock(folder: string): Promise<Lock> {
  const text = await readFile(path.join(folder, lockFile), 'utf8').catch(() => '{}');
  return Lock.catch({}).parse(parseJson(text));
}

async function writeWhole(file: string, content: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { flush: true });
  await rename(`${file}.new`, file);
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
