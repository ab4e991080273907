import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogue, type CatalogueModel } from '../../src/providers/speech/models/catalogue.ts';
import { listInstalled } from '../../src/providers/speech/models/installed.ts';
import { ModelManifest } from '../../src/providers/speech/models/manifest.ts';
import { pullModel, type PullProgress, removeModel } from '../../src/providers/speech/models/pull.ts';
import { ModelHost, sha256 } from '../support/models/model-host.ts';

let host: ModelHost;
let folder: string;
const content = randomBytes(1_000_000);
const half = 500_000;

beforeEach(async () => {
  host = await ModelHost.open();
  folder = await mkdtemp(path.join(tmpdir(), 'models-'));
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

function offer(options: { sha?: string | undefined; etag?: string; sizeBytes?: number } = {}): CatalogueModel {
  host.files.set('/models/vad/model.onnx', { content, ...(options.etag && { etag: options.etag }) });
  const file = {
    role: 'model',
    name: 'model.onnx',
    url: `${host.url}/models/vad/model.onnx`,
    sizeBytes: options.sizeBytes ?? content.length,
    ...('sha' in options ? options.sha !== undefined && { sha256: options.sha } : { sha256: sha256(content) }),
  };
  return { name: 'test-vad', kind: 'vad', languages: [], description: '', license: 'MIT', files: [file] };
}

function pull(model: CatalogueModel, options: { mirror?: string; seen?: PullProgress[] } = {}) {
  const { mirror, seen = [] } = options;
  const timing = { pauseMs: 5, idleMsMax: 5_000 };
  return pullModel({ folder, model, mirror, timing, onProgress: (progress) => seen.push(progress) });
}

function presentModels(): string[] {
  return listInstalled(folder).models.map(({ name }) => name);
}

async function expectWhole(): Promise<void> {
  expect(presentModels()).toEqual(['test-vad']);
  expect(sha256(await readFile(path.join(folder, 'test-vad/model.onnx')))).toBe(sha256(content));
  expect((await readdir(path.join(folder, 'test-vad'))).sort()).toEqual(['model.json', 'model.onnx']);
}

describe('fetching a model', () => {
  it('shows its progress and leaves the files and their manifest', async () => {
    const seen: PullProgress[] = [];
    await pull(offer(), { seen });
    await expectWhole();
    const done = seen.map(({ doneBytes }) => doneBytes);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toEqual({ model: 'test-vad', file: 'model.onnx', doneBytes: 1_000_000, sizeBytes: 1_000_000 });
  });

  it('goes on where the connection broke off', async () => {
    host.breaks = [half, 100_000];
    await pull(offer());
    await expectWhole();
    expect(host.ranges).toEqual([undefined, `bytes=${half}-`, `bytes=${half + 100_000}-`]);
  });

  it('goes on where an earlier call gave up, and is not present until then', async () => {
    host.breaks = [half, 0, 0, 0, 0];
    await expect(pull(offer())).rejects.toThrow(/broke off\. Start it again/);
    expect(presentModels()).toEqual([]);
    expect(listInstalled(folder).broken).toEqual([
      { name: 'test-vad', problem: expect.stringContaining('not fetched completely') },
    ]);
    host.breaks = [];
    host.ranges.length = 0;
    await pull(offer());
    await expectWhole();
    expect(host.ranges).toEqual([`bytes=${half}-`]);
  });

  it('starts over where the host knows no ranges', async () => {
    host.knowsRanges = false;
    host.breaks = [half];
    await pull(offer());
    await expectWhole();
    expect(host.ranges).toEqual([undefined, `bytes=${half}-`]);
  });

  it('never joins two versions of a file', async () => {
    host.breaks = [half, 0, 0, 0, 0];
    await expect(pull(offer({ sha: undefined, etag: '"one"' }))).rejects.toThrow(/broke off/);
    const part = path.join(folder, 'test-vad/model.onnx.part');
    await writeFile(part, randomBytes(half));
    host.breaks = [];
    await pull(offer({ sha: undefined, etag: '"two"' }));
    await expectWhole();
  });

  it('starts over where nothing tells whether the file is still the same', async () => {
    host.breaks = [half];
    await pull(offer({ sha: undefined }));
    await expectWhole();
    expect(host.ranges).toEqual([undefined, undefined]);
  });

  it('refuses a file that has another checksum, and keeps nothing of it', async () => {
    const wrong = '0'.repeat(64);
    await expect(pull(offer({ sha: wrong }))).rejects.toThrow(`its SHA-256 is ${sha256(content)}, expected ${wrong}`);
    expect(presentModels()).toEqual([]);
    expect(await readdir(path.join(folder, 'test-vad'))).toEqual([]);
  });

  it('refuses a file of another size before it is fetched', async () => {
    await expect(pull(offer({ sizeBytes: 999_999 }))).rejects.toThrow(/has 1000000 bytes, not the 999999/);
    expect(presentModels()).toEqual([]);
  });

  it('gives up at once on what is not there, and not on a host that is busy', async () => {
    host.refusals = [404];
    await expect(pull(offer())).rejects.toThrow(/does not provide .*\(404\)/);
    expect(host.ranges).toHaveLength(1);
    host.refusals = [503, 429];
    await pull(offer());
    await expectWhole();
  });

  it('says so when the host cannot be reached', async () => {
    const model = offer();
    await host.close();
    await expect(pull(model)).rejects.toThrow(/cannot be reached/);
    host = await ModelHost.open();
  });

  it('holds a model without a published checksum to what was fetched the first time', async () => {
    await pull(offer({ sha: undefined }));
    await removeModel(folder, 'test-vad');
    host.files.set('/models/vad/model.onnx', { content: randomBytes(content.length) });
    const model = { ...offer({ sha: undefined }) };
    host.files.set('/models/vad/model.onnx', { content: randomBytes(content.length) });
    await expect(pull(model)).rejects.toThrow(`expected ${sha256(content)}`);
  });

  it('takes what is whole already, and mends what is not', async () => {
    await pull(offer());
    await pull(offer());
    expect(host.ranges).toHaveLength(1);
    await writeFile(path.join(folder, 'test-vad/model.onnx'), randomBytes(content.length));
    await pull(offer());
    await expectWhole();
  });

  it('takes the path from a mirror', async () => {
    const model = offer();
    const [file] = model.files;
    host.files.set('/mirror/models/vad/model.onnx', { content });
    const elsewhere = {
      ...model,
      files: file ? [{ ...file, url: 'https://models.invalid/models/vad/model.onnx' }] : [],
    };
    await pull(elsewhere, { mirror: `${host.url}/mirror/` });
    await expectWhole();
    expect(host.ranges).toHaveLength(1);
  });

  it('does not begin without the space for it', async () => {
    await expect(pull(offer({ sizeBytes: 1e15 }))).rejects.toThrow(/too little space.*1000000100 MB are needed/);
    expect(host.ranges).toEqual([]);
  });
});

describe('fetching a model twice at once', () => {
  it('is refused to the second, who neither fetches nor removes anything meanwhile', async () => {
    const model = offer();
    const refused = Promise.withResolvers<void>();
    host.held = refused.promise;
    const first = pull(model);
    await expect(pull(model)).rejects.toThrow('Another process is working on test-vad.');
    await expect(removeModel(folder, 'test-vad')).rejects.toThrow('Another process is working on test-vad.');
    refused.resolve();
    await first;
    await expectWhole();
    expect(host.ranges).toHaveLength(1);
    await removeModel(folder, 'test-vad');
  });

  it('remembers the checksums of both where they are two models', async () => {
    const model = offer();
    await Promise.all([pull(model), pull({ ...model, name: 'other-vad' })]);
    const sums = JSON.parse(await readFile(path.join(folder, 'checksums.json'), 'utf8'));
    expect(Object.keys(sums).toSorted()).toEqual(['other-vad', 'test-vad']);
  });
});

describe('removing a model', () => {
  it('removes its folder, and refuses names that are none', async () => {
    await pull(offer());
    await removeModel(folder, 'test-vad');
    await expect(stat(path.join(folder, 'test-vad'))).rejects.toThrow('ENOENT');
    await expect(removeModel(folder, 'test-vad')).rejects.toThrow('There is no model');
    await expect(removeModel(folder, '../outside')).rejects.toThrow('Expected a name');
    await expect(removeModel(folder, '.')).rejects.toThrow('Expected a name');
  });
});

describe('catalogue', () => {
  it.each(catalogue.map((model) => [model.name, model] as const))('%s is whole', (name, model) => {
    const files = Object.fromEntries(model.files.map((file) => [file.role, file.name]));
    expect(ModelManifest.parse({ kind: model.kind, languages: model.languages, files })).toMatchObject({ files });
    for (const { url, sizeBytes, sha256: sum } of model.files) {
      expect(new URL(url).protocol).toBe('https:');
      expect(sizeBytes).toBeGreaterThan(0);
      // What has no checksum may change under us; whatever names a commit may not.
      expect(sum === undefined ? name : sum).toMatch(/^[0-9a-f]{64}$|^gigaam-v2-ru$/);
    }
  });
});
