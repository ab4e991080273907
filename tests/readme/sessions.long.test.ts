import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speakCall } from '../../src/demo/speak.ts';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand, runProgram, startService, type RunningService } from '../support/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documentedAddress = 'http://127.0.0.1:3000';
const sessionTimeoutMs = 180_000;

let database: TestDatabase;
let folder: string;
let service: RunningService;
let environment: Record<string, string>;

/** A folder like a checkout, with a call in it, beside the running service. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-readme-'));
  for (const name of ['package.json', 'node_modules', 'src']) {
    await symlink(path.join(root, name), path.join(folder, name));
  }
  await ensureTools({ needed: ['curl'], mayInstall: true, say: (line) => process.stdout.write(`${line}\n`) });
  await speakCall({ lines: call, path: path.join(folder, 'call.mp3'), format: 'mp3', sampleRate: 16_000 });
  environment = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data') };
  service = await startService(environment);
}, 180_000);
afterAll(async () => {
  await service?.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const call = [
  { channel: 1, voice: 'slt', text: 'Good morning, thank you for calling Acme. My name is Maria. How can I help you?' },
  { channel: 0, voice: 'rms', text: 'Hello, I would like to know the balance of my account please.' },
  { channel: 1, voice: 'slt', text: 'Of course. You want to know your balance. One moment please.' },
  { channel: 1, voice: 'slt', text: 'Your balance is four hundred dollars.' },
  { channel: 0, voice: 'rms', text: 'Great, thank you very much.' },
  { channel: 1, voice: 'slt', text: 'Is there anything else I can help you with?' },
  { channel: 0, voice: 'rms', text: 'No, that is all. Goodbye.' },
  { channel: 1, voice: 'slt', text: 'Thank you for calling. Have a nice day. Goodbye.' },
] as const satisfies Parameters<typeof speakCall>[0]['lines'];

/** The block that follows `<!-- mark -->` in a document. */
async function blockOf(document: string, mark: string): Promise<string> {
  const text = await readFile(path.join(root, document), 'utf8');
  const [, block] = new RegExp(`<!-- ${mark} -->\\s+\`\`\`\\w*\n(.*?)\n\`\`\``, 's').exec(text) ?? [];
  if (block === undefined) throw new Error(`${document} has no block ${mark}.`);
  return block;
}

async function sessionOf(document: string, name: string): Promise<string> {
  const code = await blockOf(document, `session:${name}`);
  expect(code).toContain(documentedAddress);
  return code.replaceAll(documentedAddress, service.baseUrl);
}

describe('the sessions of README and docs/api.md', () => {
  it('has a curl session that leads from a token to an explained score', { timeout: sessionTimeoutMs }, async () => {
    const script = `set -euo pipefail\n${await sessionOf('README.md', 'curl')}`;
    const { code, stdout, stderr } = await runCommand('bash', ['-c', script], { env: environment, cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^((pending|processing)\n)*completed\n\[00:00:0\d\] Maria Lopez \(agent\): /);
    expect(stdout).toMatch(/\nThank you|thank you for calling/);
    expect(stdout).toMatch(/\n\d{1,3}\npass: .+\n/);
    expect(stdout.match(/^(pass|partial|fail|not_applicable|needs_review): .+\. .+$/gm)?.length).toBeGreaterThan(10);

    // "…" stands for lines that the README leaves out.
    const shown = (await blockOf('README.md', 'output:curl')).split('\n').filter((line) => line !== '…');
    const printed = stdout.split('\n');
    expect(shown.filter((line) => !['pending', 'processing'].includes(line) && !printed.includes(line))).toEqual([]);
  });

  it('has a typed client that compiles without a complaint and runs', { timeout: sessionTimeoutMs }, async () => {
    const { stdout: json } = await runProgram(
      'src/admin.ts',
      ['org', 'create', '--name', 'Typed', '--owner', 'typed@example.com', '--json'],
      environment,
    );
    const { token, orgId } = JSON.parse(json) as { token: string; orgId: string };
    const generated = await runProgram(
      'node_modules/openapi-typescript/bin/cli.js',
      [`${service.baseUrl}/openapi.json`, '-o', path.join(folder, 'earshot.d.ts')],
      {},
    );
    expect(generated).toMatchObject({ code: 0 });
    await writeFile(path.join(folder, 'client.mts'), await sessionOf('docs/api.md', 'typescript'));
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.mts'] }));
    const compiled = await runProgram(fileURLToPath(import.meta.resolve('typescript/bin/tsc')), ['-p', folder], {});
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
    const ran = await runProgram(path.join(folder, 'client.mts'), [], { TOKEN: token, ORG: orgId }, folder);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^pass: .+ \[/m);
  });
});

const compilerOptions = {
  target: 'esnext',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
};
