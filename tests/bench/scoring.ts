import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { READ_LANGUAGES } from '../../src/scoring/languages/language.ts';
import { readLabelled, toTranscript } from '../evaluation/labelled.ts';
import { scoreCall } from '../support/score-call.ts';
import { round } from './support.ts';

/**
 * A call of an hour in each language, each in a process of its own: by how much the process grows when it scores one, with what is loaded for it
 * and with garbage, and the processor time of that and of the next ones.
 */
const cpuMsMax = 1000;
const growthMbMax = 150;
const hourMs = 3_600_000;
const rounds = 5;

const [, , language] = process.argv;
if (language === undefined) {
  for (const each of READ_LANGUAGES) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), each], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} else {
  measure(language);
}

function measure(language: string): void {
  const call = hourIn(language);
  const score = (): unknown => scoreCall({ ...call, rubric: defaultRubric });
  const beforeMb = process.memoryUsage().rss / 2 ** 20;
  const firstMs = cpuMs(score);
  const growthMb = round(process.resourceUsage().maxRSS / 1024 - beforeMb);
  const others = Array.from({ length: rounds }, () => cpuMs(score)).toSorted((a, b) => a - b);
  const medianMs = others[Math.floor(rounds / 2)] ?? 0;
  const segments = call.transcript.segments.length;
  process.stdout.write(`${JSON.stringify({ language, segments, growthMb, firstMs, medianMs })}\n`);
  if (growthMb > growthMbMax || medianMs > cpuMsMax) process.exitCode = 1;
}

/** Labelled calls one after another. */
function hourIn(language: string): ReturnType<typeof toTranscript> {
  const file = new URL(`../learning/calls-${language}.jsonl`, import.meta.url);
  const said = readLabelled(readFileSync(file, 'utf8')).calls.flatMap(({ utterances }) => utterances);
  const utterances: typeof said = [];
  for (let at = 0; ; at += 1) {
    const next = said[at % said.length];
    if (next) utterances.push(next);
    if (at % 100 !== 99) continue;
    const call = toTranscript({ id: 'hour', language, style: 'typed', utterances });
    if (call.durationMs >= hourMs) return call;
  }
}

function cpuMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return round((user + system) / 1000);
}
