import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ids } from '../../src/domain/example-story.ts';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { forReaders } from '../../src/http/openapi/for-readers.ts';
import type { Sample } from '../../src/http/openapi/samples.ts';
import { makeAudio } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { runCommand } from '../support/program.ts';
import { seedAnalysis } from '../support/seed.ts';

const document = forReaders(buildOpenApiDocument({ version: '1.0.0' }));
const operations = Object.values(document.paths ?? {}).flatMap(
  (item) => Object.values(item) as { operationId: string; 'x-codeSamples': Sample[] }[],
);

/** What a first session needs: a body, a form with a file, a query that has to be there, and text. */
const tried = [
  'createProject',
  'uploadRecord',
  'getRecord',
  'getRecordTranscript',
  'getRecordCaptions',
  'getAnalysis',
  'search',
  'createAlert',
  'updateProject',
  'listProfileTemplates',
];

type Language = { label: string; program: string; file: string; command: string };
const languages: Language[] = [
  { label: 'curl', program: 'curl --version', file: 'sample.sh', command: 'bash sample.sh' },
  { label: 'Python', program: 'python3 -c "import requests"', file: 'sample.py', command: 'python3 sample.py' },
  { label: 'TypeScript', program: 'true', file: 'sample.mts', command: `"${process.execPath}" sample.mts` },
  { label: 'Go', program: 'go version', file: 'main.go', command: 'go run main.go' },
];

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let t: TestApp;
let owner: TestMember;
let baseUrl: string;
let folder: string;
let known: Record<string, string>;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-samples-'));
  const transcript = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>A refund is on its way.\n';
  const payload = {
    externalId: 'samples',
    projectId: owner.projectId,
    recordingUrl: 'https://a.example/1.wav',
    transcript,
  };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
  const recordId: string = body.data.id;
  const analysisId = await seedAnalysis(t, owner, { recordId });
  known = { [ids.record]: recordId, [ids.analysis]: analysisId, [ids.project]: owner.projectId };
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

/** The sample with ids of what there is, and a name that nobody has taken. */
function sourceOf(operationId: string, { label }: Language): string {
  const operation = operations.find((each) => each.operationId === operationId);
  const sample = operation?.['x-codeSamples'].find((each) => each.label === label);
  if (!sample) throw new Error(`${operationId} has no sample in ${label}.`);
  const named = sample.source.replaceAll(/("name": )"([^"]+)"/g, `$1"$2 in ${label}"`);
  return Object.entries(known).reduce((text, [example, id]) => text.replaceAll(example, id), named);
}

describe.each(languages)('a sample in $label', { timeout: 300_000 }, (language) => {
  const { label, program, file, command } = language;
  const isMissing = !isThere(program);
  const said = isMissing ? ` (skipped: this machine cannot run ${program})` : '';

  it.skipIf(isMissing).each(tried)(`does what %s says${said}`, async (operationId) => {
    const place = path.join(folder, `${label}-${operationId}`);
    await mkdir(place);
    await writeFile(path.join(place, file), sourceOf(operationId, language));
    await writeFile(path.join(place, 'call.wav'), await makeAudio('wav'));
    const env = { EARSHOT: baseUrl, TOKEN: owner.token, ORG: owner.orgId };
    const { code, stdout, stderr } = await runCommand('bash', ['-c', command], { env, cwd: place });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/\{|WEBVTT/);
    expect(stdout).not.toContain('"code":');
  });
});

it('has a sample in each language for every operation', () => {
  const labels = operations.map(({ 'x-codeSamples': samples }) => samples.map(({ label }) => label).join());
  expect(new Set(labels)).toEqual(new Set(['curl,Python,TypeScript,Go']));
});

it.skipIf(!isThere('curl --version'))('sends the first call of the guides', async () => {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(document.info.description ?? '') ?? [];
  const [first = '', ...rest] = block.split('\n');
  expect(first).toContain('export EARSHOT=http://127.0.0.1:3000 TOKEN=cat_… ORG=org_… PROJECT=prj_…');
  const place = path.join(folder, 'guide');
  await mkdir(place);
  await writeFile(path.join(place, 'call.wav'), await makeAudio('wav'));
  const env = { EARSHOT: baseUrl, TOKEN: owner.token, ORG: owner.orgId, PROJECT: owner.projectId };
  const { code, stdout } = await runCommand('bash', ['-c', rest.join('\n')], { env, cwd: place });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ data: { status: 'pending', projectId: owner.projectId } });
});
