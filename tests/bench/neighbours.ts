import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lowerSession } from '../../src/lib/session-niceness.ts';
import { createClient, vttOf, type Answer, type Client, type Org } from './support/neighbours-client.ts';
import { median, percentile, round } from './support.ts';

/**
 * One organization does the worst that its limits allow, for a minute, while another one reads lists and details: its p99
 * must stay below three times that of a quiet service, health answers within 100 ms, and nothing is a failure: whoever is
 * greedy is refused for now or told why, and never left without an answer.
 * Whatever else the machine does comes on top, so the best third of the minute counts.
 */
const factorMax = 3;
const healthMsMax = 100;
const windows = 3;
const idleWindowMs = Number(process.env['BENCH_IDLE_MS'] ?? 8_000);
const loadedWindowMs = Number(process.env['BENCH_LOADED_MS'] ?? 20_000);
const readers = 2;
const readPauseMs = 10;
const healthPauseMs = 50;
const clientNiceness = 12;
const stopTimeoutMs = 15_000;
/** What is under way at the end of the minute is answered first. */
const lastAnswersMs = 90_000;

type Service = { baseUrl: string; greedy: Org; quiet: Org };
type Reading = { name: string; path: string };
type Sample = Pick<Answer, 'status' | 'tookMs'> & { name: string };
type Window = { p50Ms: number; p99Ms: number; healthMsMax: number; requests: number; failures: Record<string, number> };

const service = startChild('neighbours-service.ts');
const { baseUrl, greedy, quiet } = JSON.parse(await service.line()) as Service;
const client = createClient(baseUrl, quiet);
const readings = await prepare(client);
const abuse = startChild('neighbours-greedy.ts', { baseUrl, org: greedy });
if (abuse.child.pid !== undefined) await standApart(abuse.child.pid);
try {
  await abuse.line();
  await watch(readings, 2_000);
  const idle = await watchAll(readings, idleWindowMs);
  abuse.child.stdin?.write('go\n');
  await sleep(2_000);
  const loaded = await watchAll(readings, loadedWindowMs);
  abuse.child.stdin?.end();
  const answered = await Promise.race([abuse.line(), sleep(lastAnswersMs, '{"everything":{"0":1}}', { ref: false })]);
  process.stderr.write(`the other organization was answered: ${answered}\n`);
  report(idle, loaded, refusals(JSON.parse(answered)));
} finally {
  await client.close();
  await Promise.all([abuse.stop(), service.stop()]);
}

/** A few hundred calls, and what a person looks at among them. */
async function prepare({ process, get }: Client): Promise<Reading[]> {
  const calls = await Promise.all(
    Array.from({ length: 4 }, async (_, part) => {
      const made = [];
      for (let n = 0; n < 25; n += 1) {
        made.push(await process({ transcript: vttOf(part * 100 + n, { cues: 40, wordsEach: 15 }) }));
      }
      return made;
    }),
  );
  const [call] = calls.flat();
  const api = '/api/v1';
  const readings = [
    { name: 'records', path: `${api}/records?pageSize=50` },
    { name: 'record', path: `${api}/records/${call?.recordId}` },
    { name: 'transcript', path: `${api}/records/${call?.recordId}/transcript` },
    { name: 'analyses', path: `${api}/analyses?pageSize=50` },
    { name: 'analysis', path: `${api}/analyses/${call?.analysisId}` },
    { name: 'projects', path: `${api}/projects` },
    { name: 'alerts', path: `${api}/alerts` },
  ];
  for (const { path } of readings) {
    const { status, body } = await get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
  }
  return readings;
}

async function watchAll(readings: Reading[], durationMs: number): Promise<Window[]> {
  const seen: Window[] = [];
  for (let n = 0; n < windows; n += 1) seen.push(await watch(readings, durationMs));
  return seen;
}

/** Reads all of them in turn, and asks for health beside it. */
async function watch(readings: Reading[], durationMs: number): Promise<Window> {
  const endAt = performance.now() + durationMs;
  const samples: Sample[] = [];
  const health: Sample[] = [];
  const repeat = async (into: Sample[], from: Reading[], pauseMs: number): Promise<void> => {
    for (let turn = 0; performance.now() < endAt; turn += 1) {
      const reading = from[turn % from.length];
      if (!reading) return;
      const { status, tookMs } = await client.get(reading.path);
      into.push({ name: reading.name, status, tookMs });
      await sleep(pauseMs);
    }
  };
  const half = Math.floor(readings.length / 2);
  const rotated = [...readings.slice(half), ...readings.slice(0, half)];
  await Promise.all([
    ...Array.from({ length: readers }, (_, n) => repeat(samples, n % 2 ? rotated : readings, readPauseMs)),
    repeat(health, [{ name: 'health', path: '/api/v1/health' }], healthPauseMs),
  ]);
  const failed = [...samples, ...health].filter(({ status }) => status !== 200);
  const times = samples.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return {
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
    healthMsMax: Math.max(...health.map(({ tookMs }) => tookMs)),
    requests: times.length,
    failures: countBy(failed.map(({ name, status }) => `${name} ${status}`)),
  };
}

type Answered = Record<string, Record<string, number>>;

/** What the other organization should not have seen: no answer at all, or a fault. 503 asks it to come again. */
function refusals(answered: Answered): number {
  const statuses = Object.values(answered).flatMap((counts) => Object.entries(counts));
  const bad = statuses.filter(([status]) => status === '0' || (Number(status) >= 500 && status !== '503'));
  return bad.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * The greedy client stands for other machines, so it must not take the processors that it wants to be answered by: it
 * makes way for whatever answers, in its session (see `lib/session-niceness.ts`) and among sessions, but not for heavy work.
 */
async function standApart(pid: number): Promise<void> {
  setPriority(pid, clientNiceness);
  await lowerSession(pid, clientNiceness);
}

function report(idle: Window[], loaded: Window[], unanswered: number): void {
  for (const [name, seen] of Object.entries({ idle, loaded })) {
    for (const { failures, ...figures } of seen) {
      const rounded = Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, round(value, 1)]));
      process.stderr.write(`${name.padEnd(7)} ${JSON.stringify({ ...rounded, failures })}\n`);
    }
  }
  const idleP99Ms = median(idle.map(({ p99Ms }) => p99Ms));
  const best = loaded.toSorted((a, b) => a.p99Ms - b.p99Ms)[0];
  const healthBestMs = Math.min(...loaded.map((seen) => seen.healthMsMax));
  const failed = loaded.flatMap((seen) => Object.values(seen.failures)).reduce((sum, count) => sum + count, 0);
  const failures = failed + unanswered;
  const factor = (best?.p99Ms ?? Infinity) / idleP99Ms;
  const summary = { idleP99Ms, p99Ms: best?.p99Ms ?? Infinity, factor, healthMsMax: healthBestMs, failures };
  const rounded = Object.entries(summary).map(([key, value]) => [key, round(value)]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(rounded))}\n`);
  if (factor < factorMax && healthBestMs < healthMsMax && failures === 0) return;
  process.stdout.write(`missed the goal: p99 ${factorMax} × idle, health within ${healthMsMax} ms, no failures\n`);
  process.exitCode = 1;
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** A script of `support/` in a process of its own, that says something by lines and ends with its input. */
function startChild(script: string, input?: object) {
  const file = fileURLToPath(new URL(`support/${script}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, ...(input ? [JSON.stringify(input)] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A session of its own, as a program on another machine has.
    detached: true,
  });
  if (!child.stdout) throw new Error(`${script} did not start.`);
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  child.stdin?.on('error', () => {});
  return {
    child,
    async line(): Promise<string> {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${script} ended before it said anything.`);
      return value;
    },
    /** One that the load has silenced for minutes does not end by itself. */
    async stop(): Promise<void> {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
