/**
 * How well the weights in `src` tell the speakers of calls in a file: a call a line, as in tests/learning, with `startMs` and
 * `endMs` of utterances where they are known. `node tests/bench/roles/file.ts calls.jsonl …`
 */
import { readFileSync } from 'node:fs';
import type { Segment, SpeakerRole } from '../../../src/model/transcript.ts';
import { withInferredRoles } from '../../../src/scoring/roles/inferred.ts';
import { likelyAgent } from '../../../src/scoring/roles/utterances.ts';
import { roleWeights } from '../../../src/scoring/roles/weights.ts';
import { countWords, createTokenReader } from '../../../src/model/text/tokens.ts';
import type { Party } from './corpora.ts';
import { createTally, printCurve } from './tally.ts';

type Said = { role: Party; text: string; startMs?: number; endMs?: number };
type Call = { id: string; language: string; style?: string; direction?: string; utterances: Said[] };

const WORD_MS = 360;
const PAUSE_MS = 600;

const tally = createTally();
const counts = new Map<string, Record<'right' | 'wrong' | 'unknown', number>>();

for (const file of process.argv.slice(2).filter((given) => !given.startsWith('--'))) {
  for (const line of readFileSync(file, 'utf8').split('\n')) if (line.trim() !== '') measure(JSON.parse(line) as Call);
}
print('words as the product tells them, in per cent');
for (const [name, { right, wrong, unknown }] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const all = right + wrong + unknown;
  const share = (part: number): string => ((100 * part) / Math.max(1, all)).toFixed(1);
  print(
    `${name.padEnd(20)} right ${share(right)}  wrong ${share(wrong)}  unknown ${share(unknown)}  of ${String(all)}`,
  );
}
printCurve('the same by how sure one has to be', tally);

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function measure({ id, language, style = 'written', direction = 'inbound', utterances }: Call): void {
  const segments = onOneTrack(utterances);
  const speakers = [{ id: 'spk_0', role: 'unknown' as const, name: null }];
  const told = withInferredRoles({ speakers, segments }, null).segments;
  for (const [at, { role: truth, text }] of utterances.entries()) {
    const role = told[at]?.role ?? 'unknown';
    for (const name of ['all', language, style, `${language} ${style}`, direction])
      count(name, { role, truth, words: countWords(text) });
  }
  const read = createTokenReader();
  const lines = segments
    .map(({ text, startMs, endMs }, at) => ({
      text,
      startMs,
      endMs,
      tokens: read(text),
      role: utterances[at]?.role ?? 'agent',
    }))
    .filter(({ tokens }) => tokens.length > 0);
  const agent = likelyAgent(lines, { agentName: null, weights: roleWeights() });
  tally.add({ group: `${language} ${style}`, source: 'the file', lines }, agent);
  if (process.argv.includes('--errors')) printErrors(id, lines, agent);
}

function printErrors(call: string, lines: readonly { role: Party; text: string }[], agent: Float64Array): void {
  for (const [at, { role, text }] of lines.entries()) {
    const likely = agent[at] ?? 0.5;
    if ((role === 'agent' ? likely : 1 - likely) < 0.13) print(`${call} | ${role} | ${text}`);
  }
}

function count(name: string, told: { role: SpeakerRole; truth: Party; words: number }): void {
  const sums = counts.get(name) ?? { right: 0, wrong: 0, unknown: 0 };
  counts.set(name, sums);
  sums[told.role === 'unknown' ? 'unknown' : told.role === told.truth ? 'right' : 'wrong'] += told.words;
}

function onOneTrack(utterances: readonly Said[]): Segment[] {
  let atMs = 0;
  return utterances.map(({ text, startMs = atMs, endMs = startMs + countWords(text) * WORD_MS }, index) => {
    atMs = endMs + PAUSE_MS;
    const place = { id: `seg_${String(index)}`, index, channel: 0, startMs, endMs };
    return { ...place, speaker: 'spk_0', role: 'unknown', text, confidence: null, words: [] };
  });
}
