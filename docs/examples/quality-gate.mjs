#!/usr/bin/env node
// Fails a CI job when calls are not good enough. Node.js 18 or newer, nothing to install.
// Exit code 0: all calls pass. 1: some do not. 2: it could not be told (wrong usage, no answer, out of time).
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const usage = `Usage: quality-gate.mjs --project ID [calls] [conditions]

Calls: the given files, or those that the project has already.
  --file PATH              upload this recording; can be repeated
  --with-transcripts       send the .vtt, .srt or .json beside each file along: no speech recognition then
  --from DATE, --to DATE   calls created in this period, such as 2026-01-31 (default: the last 24 hours)

Conditions
  --min-score N            every call has at least this quality score
  --min-average N          so has their mean
  --min-judged N           of every call at least this share of the weight was judged, such as 0.8
  --fail-on-compliance     no call has failed compliance
                           A call of which too little could be judged has no score: it is in no average, and
                           does not pass --min-score before somebody has reviewed it.

  --timeout SECONDS        how long to wait for calls that are being processed (default 900)
  --help                   show this

Environment
  EARSHOT_URL              where the service is, such as https://calls.example.com
  EARSHOT_ORG              id of the organization (org_…)
  EARSHOT_TOKEN            an API token of a member who may upload and read its calls

Exit code: 0 when all calls pass, 1 when some do not, 2 when it could not be told`;

const pollMs = { first: 1_000, most: 15_000 };
const busy = new Set([429, 502, 503, 504]);

class GateError extends Error {}

/** Runs the gate and gives the exit code. */
async function main() {
  const options = readOptions();
  if (options === null) {
    say(usage);
    return 0;
  }
  const api = createApi(options);
  const calls = options.files.length > 0 ? await uploadAll(api, options) : await listCalls(api, options);
  if (calls.length === 0) throw new GateError('There are no calls to judge.');
  const ended = await waitForAll(api, calls);
  const verdicts = ended.map((call) => ({ ...call, failings: failingsOf(call, options) }));
  print(verdicts);
  const average = averageOf(verdicts);
  const isBelowAverage = options.minAverage !== null && (average === null || average < options.minAverage);
  const scored = verdicts.filter(({ qualityScore }) => typeof qualityScore === 'number').length;
  const others = scored < verdicts.length ? `; ${counted(verdicts.length - scored)} without a score` : '';
  if (average !== null) say(`Average ${average.toFixed(1)} of ${counted(scored)}${others}.`);
  const failed = verdicts.filter(({ failings }) => failings.length > 0).length;
  const reasons = [];
  if (failed > 0) reasons.push(`${failed} of ${counted(verdicts.length)} ${failed === 1 ? 'does' : 'do'} not pass`);
  if (isBelowAverage) reasons.push(`the average is below ${options.minAverage}`);
  say(reasons.length > 0 ? `FAILED: ${reasons.join(', and ')}.` : 'PASSED');
  return reasons.length > 0 ? 1 : 0;
}

/** Null where only the usage is asked for. */
function readOptions() {
  const { values } = readArguments();
  if (values.help) return null;
  const missing = ['EARSHOT_URL', 'EARSHOT_ORG', 'EARSHOT_TOKEN'].filter((name) => !process.env[name]);
  if (!values.project) missing.unshift('--project');
  if (missing.length > 0) throw new GateError(`Missing: ${missing.join(', ')}.\n\n${usage}`);
  const { EARSHOT_URL, EARSHOT_ORG, EARSHOT_TOKEN } = process.env;
  if (!/^https?:\/\/./.test(EARSHOT_URL)) throw new GateError('EARSHOT_URL needs http:// or https:// and a host.');
  return {
    url: EARSHOT_URL.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${EARSHOT_TOKEN}`, 'X-Selected-Org-ID': EARSHOT_ORG },
    project: values.project,
    files: values.file,
    withTranscripts: values['with-transcripts'],
    from: values.from ?? new Date(Date.now() - 86_400_000).toISOString(),
    to: values.to,
    minScore: readNumber('--min-score', values['min-score']),
    minAverage: readNumber('--min-average', values['min-average']),
    minJudged: readShare('--min-judged', values['min-judged']),
    failsOnCompliance: values['fail-on-compliance'],
    endAt: Date.now() + readNumber('--timeout', values.timeout) * 1_000,
  };
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        project: { type: 'string' },
        file: { type: 'string', multiple: true, default: [] },
        'with-transcripts': { type: 'boolean', default: false },
        from: { type: 'string' },
        to: { type: 'string' },
        'min-score': { type: 'string' },
        'min-average': { type: 'string' },
        'min-judged': { type: 'string' },
        'fail-on-compliance': { type: 'boolean', default: false },
        timeout: { type: 'string', default: '900' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new GateError(`${error.message}\n\nTry --help.`);
  }
}

function readNumber(name, text) {
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new GateError(`${name} needs a number.`);
  return value;
}

function readShare(name, text) {
  const share = readNumber(name, text);
  if (share !== null && share > 1) throw new GateError(`${name} is a share from 0 to 1.`);
  return share;
}

/** Asks again where the service is busy or away, as late as it says, until the time is up. */
function createApi({ url, headers, endAt }) {
  async function request(resource, makeInit = () => ({})) {
    for (let attempt = 0; ; attempt += 1) {
      const init = makeInit();
      const sent = { ...init, headers: { ...headers, ...init.headers }, signal: AbortSignal.timeout(120_000) };
      const response = await fetch(`${url}/api/v1${resource}`, sent).catch((error) => error);
      const isAway = response instanceof Error;
      if (!isAway && !busy.has(response.status)) return readAnswer(response);
      const waitMs = (isAway ? null : retryAfterMs(response)) ?? backoffMs(attempt);
      if (Date.now() + waitMs > endAt) {
        throw new GateError(isAway ? `${url} cannot be reached.` : `${url} answers ${response.status}: out of time.`);
      }
      await sleep(waitMs);
    }
  }
  return { request, endAt };
}

async function readAnswer(response) {
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  const { code = '', message = 'no answer in JSON', details = [] } = body?.error ?? {};
  const faults = details.map((fault) => `\n  ${optionFor(fault.path)}: ${fault.message}`);
  throw new GateError(`${response.status} ${code}: ${message}${faults.join('')}`);
}

/** The option that an argument of the request came from. */
function optionFor(path) {
  return { from: '--from', to: '--to', projectId: '--project' }[path] ?? path;
}

/** `Retry-After` in seconds or as a date; null without one. */
function retryAfterMs({ headers }) {
  const text = headers.get('Retry-After');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

function backoffMs(attempt) {
  return Math.min(pollMs.first * 1.5 ** attempt, pollMs.most);
}

async function uploadAll(api, { files, project, withTranscripts }) {
  const calls = [];
  for (const file of files) {
    const name = path.basename(file);
    const content = new Blob([await readRecording(file)]);
    const transcript = withTranscripts ? await readTranscriptBeside(file) : null;
    const key = randomUUID();
    const { data } = await api.request('/records/upload', () => {
      const form = new FormData();
      form.set('projectId', project);
      if (transcript !== null) form.set('transcript', transcript);
      form.set('file', content, name);
      // With a key, an upload that is sent again after a lost answer makes no second call.
      return { method: 'POST', body: form, headers: { 'Idempotency-Key': key } };
    });
    calls.push({ ...data, name });
  }
  return calls;
}

async function readRecording(file) {
  try {
    return await readFile(file);
  } catch (error) {
    const why = unreadable[error.code] ?? `cannot be read: ${error.message}`;
    throw new GateError(`The recording ${path.resolve(file)} ${why}.`);
  }
}

const unreadable = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
};

async function readTranscriptBeside(file) {
  const { dir, name } = path.parse(file);
  const found = ['.vtt', '.srt', '.json'].map((ending) => path.join(dir, name + ending)).find(existsSync);
  if (!found)
    throw new GateError(`There is no transcript beside ${file}: --with-transcripts needs its .vtt, .srt or .json.`);
  return readFile(found, 'utf8');
}

async function listCalls(api, { project, from, to }) {
  const calls = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ projectId: project, from, ...(to && { to }), order: 'asc' });
    const { data, meta } = await api.request(`/records?${query}&pageSize=100&page=${page}`);
    calls.push(...data.map((call) => ({ ...call, name: call.agentName ?? '' })));
    if (data.length === 0 || calls.length >= meta.total) return calls;
  }
}

/** Looks at those under way in ever longer intervals, until all have ended. */
async function waitForAll(api, calls) {
  const isUnderWay = ({ status }) => status === 'pending' || status === 'processing';
  let current = calls;
  for (let round = 0; current.some(isUnderWay); round += 1) {
    const waitMs = backoffMs(round);
    if (Date.now() + waitMs > api.endAt) {
      const open = current.filter(isUnderWay).length;
      throw new GateError(`${counted(open)} ${open === 1 ? 'is' : 'are'} still being processed: out of time.`);
    }
    await sleep(waitMs);
    const next = [];
    for (const call of current) next.push(isUnderWay(call) ? await readCall(api, call) : call);
    current = next;
  }
  const judged = [];
  for (const call of current) judged.push(isWhole(call) ? call : await readCall(api, call));
  return judged;
}

/** The answer to an upload has no score, and lists do not say why a call has failed. */
function isWhole(call) {
  return 'qualityScore' in call && (call.status !== 'failed' || 'failure' in call);
}

async function readCall(api, { id, name }) {
  const { data } = await api.request(`/records/${id}`);
  return { ...data, name };
}

function failingsOf(call, { minScore, minJudged, failsOnCompliance }) {
  const { status, failure, qualityScore, judgedShare, complianceStatus } = call;
  if (status !== 'completed') return [failure?.message ?? status];
  const failings = [];
  if (minScore !== null && qualityScore === null)
    failings.push(typeof judgedShare === 'number' ? 'no score: a person has to listen' : 'no score');
  if (minJudged !== null && typeof judgedShare === 'number' && judgedShare < minJudged)
    failings.push(`less than ${minJudged} judged`);
  if (minScore !== null && qualityScore !== null && qualityScore < minScore) failings.push(`score below ${minScore}`);
  if (failsOnCompliance && complianceStatus === 'failed') failings.push('compliance');
  return failings;
}

function averageOf(calls) {
  const scores = calls.map(({ qualityScore }) => qualityScore).filter((score) => typeof score === 'number');
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function print(verdicts) {
  const rows = [
    ['CALL', 'NAME', 'STATUS', 'SCORE', 'JUDGED', 'COMPLIANCE', 'RESULT'],
    ...verdicts.map(({ id, name, status, qualityScore, judgedShare, complianceStatus, failings }) => [
      id,
      name,
      status,
      String(qualityScore ?? '-'),
      typeof judgedShare === 'number' ? `${Math.floor(judgedShare * 100 + 1e-9)} %` : '-',
      complianceStatus ?? '-',
      failings.length === 0 ? 'pass' : `FAIL: ${failings.join(', ')}`,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function counted(calls) {
  return `${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
