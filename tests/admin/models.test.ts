import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/providers/speech/models/catalogue.ts';
import { ModelHost, sha256 } from '../support/models/model-host.ts';
import { installToneRecogniser } from '../support/models/tiny-models.ts';
import { runProgram, type ProgramResult } from '../support/program.ts';

let host: ModelHost;
let folder: string;

beforeAll(async () => {
  host = await ModelHost.open();
  folder = await mkdtemp(path.join(tmpdir(), 'admin-models-'));
  await installToneRecogniser(path.join(folder, 'models'), 'our-own');
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** Without a database: none is named and none may be started. */
function models(...args: string[]): Promise<ProgramResult> {
  return runProgram('src/admin.ts', ['models', ...args], { DATA_DIR: folder, MODELS_URL: host.url });
}

describe('admin models', () => {
  it('fetches, lists and removes a model by its name', async () => {
    const [file] = catalogue.find(({ name }) => name === 'silero-vad')?.files ?? [];
    const content = randomBytes(file?.sizeBytes ?? 0);
    host.files.set(new URL(file?.url ?? '').pathname, { content });

    const refused = await models('pull', 'silero-vad');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(new RegExp(`its SHA-256 is ${sha256(content)}, expected ${file?.sha256}`));

    const pulled = await models('pull', 'silero-vad', '--sha256', `silero_vad.onnx=${sha256(content)}`);
    expect(pulled).toEqual({
      code: 0,
      stdout: 'silero-vad is installed (644 kB).\nThe license of silero-vad: MIT.\n',
      stderr: '',
    });

    const { stdout } = await models('list', '--json');
    const rows: { name: string; present: boolean; files: { url: string }[] }[] = JSON.parse(stdout).models;
    // A mirror learns from it what to hold, whether or not it is named already.
    expect(rows.map(({ name, files }) => [name, files.map(({ url }) => url)])).toEqual(
      rows.map(({ name }) => [
        name,
        (catalogue.find((model) => model.name === name)?.files ?? []).map(({ url }) => url),
      ]),
    );
    expect(rows.filter(({ present }) => present).map(({ name }) => name)).toEqual(['silero-vad', 'our-own']);
    expect(rows.filter(({ present }) => !present)).toHaveLength(catalogue.length - 1);

    expect(await models('remove', 'silero-vad')).toMatchObject({ code: 0, stdout: 'Removed silero-vad.\n' });
    expect((await models('list')).stdout).toMatch(/^silero-vad +- +vad +644 kB/m);
  });

  it('says what is wrong with a name, a checksum and a host', async () => {
    expect((await models('pull', 'no-such-model')).stderr).toMatch(
      /no model "no-such-model" in the catalogue: parakeet/,
    );
    expect((await models('pull', 'silero-vad', '--sha256', 'silero_vad.onnx=12')).stderr).toMatch(
      /64 hexadecimal digits/,
    );
    expect((await models('pull', 'silero-vad', '--sha256', `x=${'0'.repeat(64)}`)).stderr).toMatch(/has no file x/);
    expect((await models('pull', 'speakers')).stderr).toMatch(/does not provide .*\(404\)/);
    expect((await models('remove', '../models')).stderr).toMatch(/Expected a name/);
  });
});
