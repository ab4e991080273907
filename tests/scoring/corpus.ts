import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CheckAnswer, Scorecard } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { SpeakerRole, Transcript } from '../../src/model/transcript.ts';
import { scoreCall } from '../support/score-call.ts';

export const CHECK_KEYS = [
  'greeting.opens',
  'greeting.company',
  'greeting.name',
  'greeting.offer',
  'problem.understood',
  'problem.details',
  'problem.resolved',
  'problem.accepted',
  'professionalism.courtesy',
  'professionalism.respect',
  'professionalism.listening',
  'professionalism.hold',
  'professionalism.clarity',
  'closing.more',
  'closing.thanks',
  'closing.farewell',
] as const;

const LETTERS: Record<string, CheckAnswer> = {
  p: 'pass',
  f: 'fail',
  h: 'partial',
  n: 'not_applicable',
  r: 'needs_review',
};

/** `pppp pnpp ppnnn ppp`: one letter a check, in the order of the rubric. */
export function readAnswers(table: string): CheckAnswer[] {
  return [...table.replace(/\s/gu, '')].map((letter) => LETTERS[letter] ?? 'needs_review');
}

export type Line = { role: SpeakerRole; startMs: number; endMs: number; text: string };

export function transcriptOf(lines: readonly Line[], overrides: Partial<Transcript> = {}): Transcript {
  const segments = lines.map((line, index) => ({
    id: `seg_${String(index).padStart(5, '0')}`,
    index,
    speaker: `spk_${line.role}`,
    role: line.role,
    channel: line.role === 'customer' ? 1 : 0,
    startMs: line.startMs,
    endMs: line.endMs,
    text: line.text,
    confidence: null,
    words: [],
  }));
  return {
    recordId: 'rec_test',
    language: 'en',
    source: 'supplied',
    model: null,
    channels: 2,
    speakers: [...new Set(lines.map(({ role }) => role))].map((role) => ({ id: `spk_${role}`, role, name: null })),
    segments,
    text: lines.map(({ text }) => text).join('\n'),
    ...overrides,
  };
}

const WORD_MS = 360;
const PAUSE_MS = 600;

/**
 * Writes a call as one line a turn: `A: hello`, `C: hi`, `I:` (ivr), `?:` (unknown voice). Speech takes 360 ms a word with
 * 600 ms between turns; `~20` on a line of its own is a silence of 20 s.
 */
export function call(script: string): { transcript: Transcript; durationMs: number } {
  const lines: Line[] = [];
  let atMs = 500;
  for (const raw of script.split('\n')) {
    const line = raw.trim();
    if (line === '') continue;
    if (line.startsWith('~')) {
      atMs += Number(line.slice(1)) * 1000;
      continue;
    }
    const role = ({ A: 'agent', C: 'customer', I: 'ivr', '?': 'unknown' } as const)[line[0] ?? ''] ?? 'unknown';
    const text = line.slice(2).trim();
    const endMs = atMs + Math.max(1, text.split(/\s+/u).length) * WORD_MS;
    lines.push({ role, startMs: atMs, endMs, text });
    atMs = endMs + PAUSE_MS;
  }
  return { transcript: transcriptOf(lines), durationMs: atMs };
}

export function score(script: string, agentName?: string): Scorecard {
  return scoreCall({ ...call(script), rubric: defaultRubric, ...(agentName ? { agentName } : {}) });
}

/** What the rules find, whether or not they are believed: the second opinion only tells how sure that is. */
export function scoreByRules(script: string, agentName?: string): Scorecard {
  const named = agentName ? { agentName } : {};
  return scoreCall({ ...call(script), rubric: defaultRubric, ...named, secondOpinion: 'tells' });
}

export function answersOf({ checks }: Scorecard): Record<string, CheckAnswer> {
  return Object.fromEntries(checks.map(({ key, answer }) => [key, answer]));
}

type StoredCall = {
  sid: string;
  agentName: string;
  segments: { speaker: 'agent' | 'caller'; startMs: number; endMs: number; text: string; asr?: string }[];
};

const folder = fileURLToPath(new URL('calls/', import.meta.url));

export function storedCalls(): StoredCall[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name): StoredCall => JSON.parse(readFileSync(folder + name, 'utf8')));
}

export function storedTranscript(
  stored: StoredCall,
  mode: 'text' | 'asr',
): { transcript: Transcript; durationMs: number } {
  const lines = stored.segments.map((segment): Line => ({
    role: segment.speaker === 'agent' ? 'agent' : 'customer',
    startMs: segment.startMs,
    endMs: segment.endMs,
    text: mode === 'asr' ? (segment.asr ?? segment.text) : segment.text,
  }));
  return { transcript: transcriptOf(lines), durationMs: Math.max(...lines.map(({ endMs }) => endMs)) + 500 };
}
