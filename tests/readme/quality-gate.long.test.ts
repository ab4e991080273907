import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callVtt } from '../pipeline/support/calls.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { runProgram, type ProgramResult } from '../support/program.ts';
import { seedRecords } from '../support/seed.ts';

const script = 'docs/examples/quality-gate.mjs';
const rudeVtt = callVtt.replace('I am sorry to hear that, Tom.', 'That is not my problem, you idiot.');

let t: TestApp;
let org: TestMember;
let folder: string;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'silent' } });
  org = await t.createOrg();
  baseUrl = await t.listen();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-gate-'));
  await writeFile(path.join(folder, 'good.wav'), silentWav(1000));
  await writeFile(path.join(folder, 'good.vtt'), callVtt);
  await writeFile(path.join(folder, 'bare.wav'), silentWav(1000));
  await writeFile(path.join(folder, 'rude.wav'), silentWav(1000));
  await writeFile(path.join(folder, 'rude.vtt'), rudeVtt);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

function gate(args: string[], env: Record<string, string> = {}): Promise<ProgramResult> {
  const access = { EARSHOT_URL: baseUrl, EARSHOT_ORG: org.orgId, EARSHOT_TOKEN: org.token };
  return runProgram(script, ['--project', org.projectId, ...args], { ...access, ...env });
}

const fileOf = (name: string): string => path.join(folder, name);

describe('the quality gate', () => {
  it('passes when every call is good enough, and shows them in a table', async () => {
    const { code, stdout, stderr } = await gate([
      '--file',
      fileOf('good.wav'),
      '--with-transcripts',
      '--min-score',
      '60',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^CALL +NAME +STATUS +SCORE +JUDGED +COMPLIANCE +RESULT\nrec_\w+ +good\.wav +completed +\d+ +\d+ % +\w+ +pass\n/,
    );
    expect(stdout).toMatch(/\nPASSED\n$/);
  });

  it('fails with 1 when a call is below the threshold, and says which', async () => {
    const files = ['good.wav', 'rude.wav'].flatMap((name) => ['--file', fileOf(name)]);
    const { code, stdout } = await gate([...files, '--with-transcripts', '--min-score', '60']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/good\.wav .* pass\n/);
    expect(stdout).toMatch(/rude\.wav .* FAIL: score below 60\n/);
    expect(stdout).toMatch(/\nFAILED: 1 of 2 calls does not pass\.\n$/);
  });

  it('judges the calls that a project has, over all pages, by their average and their compliance', async () => {
    const other = await t.createOrg();
    const place = { EARSHOT_ORG: other.orgId, EARSHOT_TOKEN: other.token };
    const rows = Array.from({ length: 130 }, (_, n) => ({
      status: 'completed' as const,
      qualityScore: n % 2 ? 90 : 70,
      complianceStatus: n === 129 ? ('failed' as const) : ('passed' as const),
    }));
    await seedRecords(t, other, rows);
    const judge = (args: string[]) => gate(['--project', other.projectId, ...args], place);
    expect(await judge(['--min-average', '80'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Average 80.0 of 130 calls.'),
    });
    // Every call passes, and still it says truly why the job fails.
    expect(await judge(['--min-average', '80.1'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/FAILED: the average is below 80\.1\.\n$/),
    });
    expect(await judge(['--fail-on-compliance'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('FAIL: compliance'),
    });
    expect(await judge(['--from', '2020-01-01', '--to', '2020-01-02'])).toMatchObject({
      code: 2,
      stderr: 'There are no calls to judge.\n',
    });
  });

  it('fails with 1 for a call that could not be processed', async () => {
    const other = await t.createOrg();
    const failure = { code: 'AUDIO_UNREADABLE', message: 'The file holds no audio.', retryable: false };
    await seedRecords(t, other, [{ status: 'failed', failure }]);
    const place = { EARSHOT_ORG: other.orgId, EARSHOT_TOKEN: other.token };
    const { code, stdout } = await gate(['--project', other.projectId], place);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/FAIL: The file holds no audio\.[^]*\nFAILED: 1 of 1 call does not pass\.\n$/),
    });
  });

  it('shows how it is used, with nothing set', async () => {
    const { code, stdout, stderr } = await runProgram(script, ['--help'], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: quality-gate\.mjs --project ID .*EARSHOT_TOKEN/s);
  });

  it('ends with 2 and a reason when it cannot tell', async () => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['--min-score', 'high'], {}, /--min-score needs a number/],
      [[], { EARSHOT_TOKEN: '' }, /^Missing: EARSHOT_TOKEN\.\n\nUsage: /],
      [[], { EARSHOT_URL: 'calls.example.com' }, /^EARSHOT_URL needs http:/],
      [[], { EARSHOT_TOKEN: 'cat_wrong' }, /^401 UNAUTHORIZED: /],
      [['--unknown'], {}, /--unknown.*\n\nTry --help\.\n$/s],
      [['--from', '2026-02-31'], {}, /^400 VALIDATION_ERROR: .*\n {2}--from: .+\n$/],
      [['--from', '2026-02-02', '--to', 'soon'], {}, /^400 VALIDATION_ERROR: .*\n {2}--to: .+\n$/],
      [['--file', 'calls/none.wav'], {}, /^The recording \/.*\/calls\/none\.wav does not exist\.\n$/],
      [['--file', folder], {}, /^The recording \/.* is a folder\.\n$/],
      [['--file', fileOf('bare.wav'), '--with-transcripts'], {}, /^There is no transcript beside \/.*bare\.wav: /],
      [['--timeout', '1'], { EARSHOT_URL: 'http://127.0.0.1:9' }, /cannot be reached/],
    ];
    for (const [args, env, reason] of cases) {
      expect(await gate(args, env)).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) });
    }
    const waiting = await t.createOrg();
    await seedRecords(t, waiting, [{ status: 'pending' }]);
    const place = { EARSHOT_ORG: waiting.orgId, EARSHOT_TOKEN: waiting.token };
    expect(await gate(['--project', waiting.projectId, '--timeout', '2'], place)).toMatchObject({
      code: 2,
      stderr: '1 call is still being processed: out of time.\n',
    });
  });

  it('takes no call for good of which too little was judged, and leaves it out of the average', async () => {
    const few = await t.createOrg();
    const place = { EARSHOT_ORG: few.orgId, EARSHOT_TOKEN: few.token };
    await seedRecords(t, few, [
      { status: 'completed', qualityScore: 80, judgedShare: 0.92 },
      { status: 'completed', qualityScore: null, judgedShare: 0.41 },
    ]);
    const asked = (...args: string[]) => gate(['--project', few.projectId, ...args], place);
    const { code, stdout } = await asked('--min-score', '60');
    expect(code).toBe(1);
    expect(stdout).toMatch(/ 41 % .* FAIL: no score: a person has to listen\n/);
    expect(stdout).toContain('\nAverage 80.0 of 1 call; 1 call without a score.\n');
    expect((await asked('--min-average', '75')).code).toBe(0);
    expect((await asked('--min-judged', '0.95')).stdout).toMatch(/ 92 % .* FAIL: less than 0\.95 judged\n/);
    expect(await asked('--min-judged', '95')).toMatchObject({
      code: 2,
      stderr: '--min-judged is a share from 0 to 1.\n',
    });
  });

  it('waits as long as the service asks for, and asks again', async () => {
    const times: number[] = [];
    const answers = [
      { status: 429, headers: { 'retry-after': '2' } },
      { status: 503, headers: { 'retry-after': '1' } },
    ];
    const server = createServer((_req, res) => {
      times.push(Date.now());
      const refusal = answers[times.length - 1];
      res.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json', ...refusal?.headers });
      const call = { id: 'rec_1', agentName: 'Ann', status: 'completed', qualityScore: 80, complianceStatus: 'passed' };
      res.end(JSON.stringify(refusal ? { error: {} } : { data: [call], meta: { total: 1 } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { code } = await gate(['--min-score', '80'], { EARSHOT_URL: `http://127.0.0.1:${port}` });
      expect(code).toBe(0);
      expect(times).toHaveLength(3);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1950);
      expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(950);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
