import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speakCall } from '../../src/demo/speak.ts';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand, startService, type RunningService } from '../support/program.ts';
import { blocksOf, documents, root, type Block } from './blocks.ts';

const documentedAddress = 'http://127.0.0.1:3000';

let database: TestDatabase;
let folder: string;
let service: RunningService;
let environment: Record<string, string>;

/** A folder like a checkout, with calls in it, beside the running service, after the session of the README. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-documents-'));
  for (const name of ['package.json', 'node_modules', 'src', 'docs']) {
    await symlink(path.join(root, name), path.join(folder, name));
  }
  await ensureTools({ needed: ['curl'], mayInstall: true, say: (line) => process.stdout.write(`${line}\n`) });
  const recording = path.join(folder, 'call.mp3');
  await speakCall({ lines: call, path: recording, format: 'mp3', sampleRate: 16_000 });
  await copyFile(path.join(root, 'docs/examples/quality-gate.mjs'), path.join(folder, 'quality-gate.mjs'));
  await mkdir(path.join(folder, 'calls'));
  for (const name of ['refund.wav', 'cancel.wav']) await cp(recording, path.join(folder, 'calls', name));
  environment = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data') };
  service = await startService(environment);
  const session = blocksOf('README.md').find(({ elsewhere }) => elsewhere?.kind === 'session');
  const code = `${session?.code}\n(declare -p ORG PROJECT TOKEN API RECORD ANALYSIS; declare -f field api) > session.sh`;
  const { code: ended, stderr } = await run(code);
  if (ended !== 0) throw new Error(`The session of the README ended with ${ended}: ${stderr}`);
}, 300_000);
afterAll(async () => {
  await service?.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const call = [
  { channel: 1, voice: 'slt', text: 'Good morning, thank you for calling Acme. My name is Maria. How can I help you?' },
  { channel: 0, voice: 'rms', text: 'Hello, I would like to know the balance of my account please.' },
  { channel: 1, voice: 'slt', text: 'Of course. So you would like to know your balance, is that right?' },
  { channel: 0, voice: 'rms', text: 'Yes, please.' },
  {
    channel: 1,
    voice: 'slt',
    text: 'Your balance is four hundred dollars. Is there anything else I can help you with?',
  },
  { channel: 0, voice: 'rms', text: 'No, that is everything, thank you.' },
  { channel: 1, voice: 'slt', text: 'Thank you for calling Acme. Have a nice day. Goodbye.' },
  { channel: 0, voice: 'rms', text: 'Goodbye.' },
] as const satisfies Parameters<typeof speakCall>[0]['lines'];

/** As a reader would who pastes it, but for the address. */
function run(code: string): ReturnType<typeof runCommand> {
  const script = `set -euo pipefail\n${code.replaceAll(documentedAddress, service.baseUrl)}`;
  return runCommand('bash', ['-c', script], { env: environment, cwd: folder });
}

/** Each block on its own, so that a failure has its line, with what those before it have set. */
async function failureOf(blocks: Block[]): Promise<string | null> {
  let before = '. ./session.sh';
  for (const { document, line, code, exitCodes } of blocks) {
    const keep = `{ declare -p | grep -vE '^declare -[a-z]*r' ; declare -f; } > ${path.basename(document)}.${line}.sh`;
    const result = await run(`${before} 2>/dev/null\ntrap '${keep.replaceAll("'", `'\\''`)}' EXIT\n${code}`);
    if (!exitCodes.includes(result.code ?? -1)) {
      return `${document}:${line} ended with ${result.code}\n${result.stdout}\n${result.stderr}`;
    }
    before = `. ./${path.basename(document)}.${line}.sh`;
  }
  return null;
}

describe('every program in README and docs that can be run here', () => {
  const runnable = documents.map((document) => ({
    document,
    blocks: blocksOf(document).filter(({ elsewhere }) => elsewhere === null),
  }));

  it.each(runnable.filter(({ blocks }) => blocks.length > 0))(
    'does what it says: $document',
    { timeout: 180_000 },
    async ({ blocks }) => expect(await failureOf(blocks)).toBeNull(),
  );
});
