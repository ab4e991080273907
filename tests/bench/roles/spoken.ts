/**
 * The same for calls that are spoken, mixed to one channel and recognised: each recognised word against who speaks at that
 * time. `node tests/bench/roles/spoken.ts [--telephone]` (flite, ffmpeg and PocketSphinx have to be installed).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clinicCalls } from '../../../src/demo/calls/clinic.ts';
import { serviceDeskCalls } from '../../../src/demo/calls/service-desk.ts';
import { speakable, speakCall, type SpokenLine } from '../../../src/demo/speak.ts';
import { createPocketsphinx } from '../../../src/providers/speech/pocketsphinx.ts';
import { transcribeRecording } from '../../../src/providers/speech/transcribe.ts';
import { withInferredRoles } from '../../../src/scoring/roles/inferred.ts';
import { storedCalls } from '../../scoring/corpus.ts';
import { assignRoles } from '../../../src/scoring/roles/voices.ts';

const agentChannel = 1;
const sampleRate = process.argv.includes('--telephone') ? 8_000 : 16_000;

const demo = [...serviceDeskCalls, ...clinicCalls].map(({ externalId, lines, voices }) => ({
  group: 'demo',
  name: externalId,
  lines: lines.map(({ by, text, pauseMs }): SpokenLine => ({
    channel: by === 'agent' ? agentChannel : 0,
    voice: voices[by],
    text,
    pauseMs,
  })),
}));
const shared = storedCalls().map(({ sid, segments }) => ({
  group: 'shared',
  name: sid,
  lines: segments
    .filter(({ text }) => speakable(text) !== '')
    .map(({ speaker, startMs, text }): SpokenLine => ({
      channel: speaker === 'agent' ? agentChannel : 0,
      voice: speaker === 'agent' ? 'slt' : 'rms',
      text,
      startMs,
    })),
}));

type Count = { right: number; wrong: number; unknown: number };

async function measure(lines: SpokenLine[]): Promise<Count> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roles-'));
  try {
    const file = path.join(folder, 'call.wav');
    const spoken = await speakCall({ lines, path: file, format: 'wav', sampleRate, layout: 'mixed' });
    const call = { recordId: 'rec', path: file, format: 'wav' as const, workDir: folder, engine: createPocketsphinx() };
    const about = { language: 'en', channelMap: null, agentName: null, signal: AbortSignal.timeout(600_000) };
    const { transcript } = await transcribeRecording({ assignRoles, ...call, ...about });
    const count = { right: 0, wrong: 0, unknown: 0 };
    for (const { role, words } of withInferredRoles(transcript, null).segments) {
      for (const { startMs, endMs } of words) {
        const truth = speakersAt(spoken.lines, (startMs + endMs) / 2);
        if (role === 'unknown') count.unknown += 1;
        else if (truth.has(role)) count.right += 1;
        else count.wrong += 1;
      }
    }
    return count;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Who speaks then; between two lines, whoever is nearest. */
function speakersAt(lines: { channel: number; startMs: number; endMs: number }[], ms: number): Set<string> {
  const away = lines.map(({ startMs, endMs }) => Math.max(0, startMs - ms, ms - endMs));
  const nearest = Math.min(...away);
  return new Set(
    lines
      .filter((_, at) => away[at] === nearest)
      .map(({ channel }) => (channel === agentChannel ? 'agent' : 'customer')),
  );
}

const totals = new Map<string, Count>();
for (const { group, name, lines } of [...demo, ...shared]) {
  const count = await measure(lines);
  process.stdout.write(`${name.padEnd(28)} ${percent(count)}\n`);
  const total = totals.get(group) ?? { right: 0, wrong: 0, unknown: 0 };
  totals.set(group, {
    right: total.right + count.right,
    wrong: total.wrong + count.wrong,
    unknown: total.unknown + count.unknown,
  });
}
for (const [group, count] of totals) process.stdout.write(`${group.padEnd(28)} ${percent(count)}\n`);

function percent({ right, wrong, unknown }: Count): string {
  const all = Math.max(1, right + wrong + unknown);
  const share = (part: number): string => `${((100 * part) / all).toFixed(1)} %`;
  return `right ${share(right)}, wrong ${share(wrong)}, unknown ${share(unknown)} of ${all} words`;
}
