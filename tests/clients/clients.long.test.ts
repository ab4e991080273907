import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAudio } from '../api/upload-support.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { blocksOf, root, type Block } from '../readme/blocks.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { runCommand } from '../support/program.ts';

const documentedAddress = 'http://127.0.0.1:3000';
const page = 'docs/clients.md';
const blocks = blocksOf(page);

/** The programs of the page in their order, by the heading that they stand under. */
function blockOf(language: string, holds: string): Block {
  const block = blocks.find((each) => each.language === language && each.code.includes(holds));
  if (!block) throw new Error(`${page} has no block in ${language} with ${holds}.`);
  return block;
}

/** Why clients of a language cannot be made here; null where they can. */
function missing(...programs: string[]): string | null {
  const absent = ['java', 'mvn', 'curl', ...programs].filter((program) => !isThere(program));
  if (absent.length > 0) return `skipped: no ${absent.join(', ')} on this machine`;
  return generator === null ? 'skipped: the generator could not be had' : null;
}

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Maven keeps the program of the generator, so that it comes over the network once. */
const fetching = blockOf('sh', 'dependency:copy').code.split('\n')[0] ?? '';
const generator = await fetchGenerator();

async function fetchGenerator(): Promise<string | null> {
  if (!isThere('mvn') || !isThere('java')) return null;
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-clients-'));
  const { code } = await runCommand('bash', ['-c', fetching], { env: {}, cwd: folder });
  if (code === 0) return folder;
  await rm(folder, { recursive: true });
  return null;
}

let t: TestApp;
let baseUrl: string;
let hook: Server;
const delivered: string[] = [];

beforeAll(async () => {
  if (generator === null) return;
  hook = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += chunk;
    delivered.push((JSON.parse(body) as { type: string }).type);
    res.end();
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  t = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  baseUrl = await t.listen();
  await writeFile(path.join(generator, 'call.wav'), await makeAudio('wav'));
  await writeFile(path.join(generator, 'call.vtt'), callVtt);
});
afterAll(async () => {
  await t?.close();
  hook?.close();
  if (generator !== null) await rm(generator, { recursive: true, force: true });
});

/** What the machine says of its way to package registries: a reader's shell has it, too. */
const network = Object.fromEntries(
  ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'PIP_CERT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** As a reader would who pastes it after the block that fetches the generator. */
async function run(code: string, env: Record<string, string> = {}): Promise<string> {
  const begin = blockOf('sh', 'dependency:copy').code.replace(fetching, '');
  const script = `set -euo pipefail\n${begin}\n${code}`.replaceAll(documentedAddress, baseUrl);
  const place = { env: { EARSHOT: baseUrl, ...network, ...env }, cwd: generator ?? root };
  const { code: ended, stdout, stderr } = await runCommand('bash', ['-c', script], place);
  if (ended !== 0) throw new Error(`Ended with ${ended}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** What a session needs: an organization of its own, and somebody who listens to its webhook. */
async function environment(): Promise<Record<string, string>> {
  const { orgId, token } = await t.createOrg();
  const { port } = hook.address() as AddressInfo;
  return { ORG: orgId, TOKEN: token, WEBHOOK: `http://127.0.0.1:${port}/hook` };
}

/** The whole session, however the language writes it. */
function checkSession(printed: string): void {
  expect(printed).toMatch(/^record: completed Maria Lopez \d+$/m);
  expect(printed).toMatch(/^transcript: 11 segments; Thank you for calling Northwind Energy/m);
  expect(printed).toContain('00:00:01,000 --> 00:00:05,200');
  expect(printed).toMatch(/^score: \d+$/m);
  expect(printed).toMatch(/^pass: Greets the customer: .Thank you for calling .+ at 1000 ms$/m);
  expect(printed).toMatch(/^audio: .*1024/m);
  expect(printed).toMatch(/^profiles: 2 /m);
  expect(printed).toMatch(/^webhook: whsec_ \w+$/m);
  expect(printed).toMatch(/^refused: .*VALIDATION_ERROR from$/m);
}

describe('a generated client', { timeout: 600_000 }, () => {
  const python = missing('python3');
  it.skipIf(python)(`in Python installs and runs the session of docs/clients.md${said(python)}`, async () => {
    const env = await environment();
    await writeFile(path.join(generator ?? '', 'session.py'), blockOf('python', 'ApiClient').code);
    const before = delivered.length;
    await run(blockOf('sh', '-g python').code);
    const printed = await run('venv/bin/python session.py', env);
    checkSession(printed);
    expect(printed).toMatch(/^profile: Python version 2$/m);
    await expect.poll(() => delivered.slice(before)).toContain('webhook.test');
  });

  const go = missing('go');
  it.skipIf(go)(`in Go compiles and runs the session of docs/clients.md${said(go)}`, async () => {
    const env = await environment();
    await writeFile(path.join(generator ?? '', 'main.go'), blockOf('go', 'package main').code);
    const before = delivered.length;
    await run(blockOf('sh', '-g go').code);
    const printed = await run('go mod tidy && go vet . && go run .', { ...env, GOFLAGS: '-mod=mod' });
    checkSession(printed);
    expect(printed).toMatch(/^listened for: /m);
    await expect.poll(() => delivered.slice(before)).toContain('webhook.test');
  });

  const java = missing();
  it.skipIf(java)(`in Java compiles${said(java)}`, async () => {
    await expect(run(blockOf('sh', '-g java').code)).resolves.toBeTypeOf('string');
  });

  const typescript = missing('npx');
  it.skipIf(typescript)(`in TypeScript compiles${said(typescript)}`, async () => {
    await expect(run(blockOf('sh', 'typescript-fetch').code)).resolves.toBeTypeOf('string');
  });
});

function said(why: string | null): string {
  return why === null ? '' : ` (${why})`;
}
