import { AppError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { assignRoles } from '../../scoring/roles/voices.ts';
import { countWords } from '../../model/text/tokens.ts';
import { WORDS_MAX } from '../../scoring/text/work.ts';
import type { ChannelMap } from '../../model/channel-map.ts';
import { labelCues } from './labelled-lines.ts';
import { readLabel, isSameName } from './speaker-labels.ts';
import { parseSrt, parseVtt } from './transcript-cues.ts';
import { parseTranscriptJson } from './transcript-json.ts';
import type { Segment, Speaker, SpeakerRole, Transcript } from '../../model/transcript.ts';
import type { SuppliedVoice, SuppliedSegment, SuppliedSpeech } from './supplied-speech.ts';

export const transcriptSizeBytesMax = 5_000_000;
export const transcriptSegmentsMax = 20_000;
const timeMsMax = 7 * 86_400_000;

export type SuppliedTranscriptInput = {
  /** WebVTT, SubRip, or JSON in the form of `Transcript` or of its `segments` alone. */
  text: string;
  recordId: string;
  /** Used if the transcript does not name its own language. */
  language: string | null;
  /** A speaker with this name is the agent. */
  agentName: string | null;
  /** The roles of channels, if the transcript names channels but neither speakers nor roles. */
  channelMap?: ChannelMap | null;
};

/**
 * Reads a transcript that the telephony system created. Segments are sorted by start and get our own ids; roles come
 * from labels, the agent's name or what each voice says, or else are `unknown`. Throws VALIDATION_ERROR with the line
 * or path of a mistake, PAYLOAD_TOO_LARGE for too many words.
 */
export function parseSuppliedTranscript(input: SuppliedTranscriptInput): Transcript {
  const { text, recordId, language, agentName } = input;
  if (Buffer.byteLength(text) > transcriptSizeBytesMax) throw invalid('is larger than 5 MB');
  // Postgres stores no NUL, neither in text nor in JSON.
  if (text.includes('\0')) throw invalid('holds a NUL character');
  const plain = text.replace(/^\uFEFF/, '').toWellFormed();
  const speech = read(plain, input);
  const segments = speech.segments.filter((segment) => segment.text !== '').sort((a, b) => a.startMs - b.startMs);
  assertUsable(segments);
  const speakers = toSpeakers(segments, { voices: speech.voices, agentName });
  return {
    recordId,
    language: speech.language ?? language,
    source: 'supplied',
    model: null,
    channels: speech.channels,
    speakers: [...speakers.values()],
    segments: segments.map((segment, index) => toSegment(segment, { index, speaker: speakers.get(segment.voice) })),
    text: segments.map((segment) => segment.text).join('\n'),
  };
}

function read(text: string, { agentName, channelMap = null }: SuppliedTranscriptInput): SuppliedSpeech {
  const start = text.trimStart();
  if (start === '') throw invalid('is empty');
  if (start.startsWith('{') || start.startsWith('[')) return parseTranscriptJson(start, channelMap);
  if (/^WEBVTT\b/.test(text)) return fromCues(labelCues(parseVtt(text), agentName));
  if (text.includes('-->')) return fromCues(labelCues(parseSrt(text), agentName));
  throw invalid('is neither WebVTT, SubRip nor JSON');
}

function fromCues(utterances: ReturnType<typeof labelCues>): SuppliedSpeech {
  const voices = new Map<string, SuppliedVoice>();
  // Roles that were only inferred are inferred again, from all that was said.
  const isInferred = utterances.some(({ label }) => /[(,] ?inferred\)$/u.test(label ?? ''));
  const segments = utterances.map(({ startMs, endMs, label: written, text }) => {
    const label = isInferred ? null : written;
    const voice = (label ?? '').toLowerCase();
    if (!voices.has(voice)) voices.set(voice, { id: null, ...readLabel(label ?? '') });
    return { voice, startMs, endMs, text, channel: 0, confidence: null, words: [] };
  });
  return { language: null, channels: 1, voices, segments };
}

function assertUsable(segments: readonly SuppliedSegment[]): void {
  if (segments.length === 0) throw invalid('holds no speech');
  if (segments.length > transcriptSegmentsMax) throw invalid(`has more than ${transcriptSegmentsMax} segments`);
  if (segments.some(({ endMs }) => endMs > timeMsMax)) throw invalid('is longer than seven days');
  assertCountable(segments);
}

/** Throws PAYLOAD_TOO_LARGE for a transcript with more words than can be scored. */
export function assertCountable(segments: readonly Pick<Segment, 'text' | 'words'>[]): void {
  let left = WORDS_MAX;
  for (const { text, words } of segments) {
    left -= Math.max(countWords(text), words.length);
    if (left < 0) throw tooLong();
  }
}

function tooLong(): AppError {
  const message = `The transcript has more than ${WORDS_MAX.toLocaleString('en')} words.`;
  return new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ path: 'transcript', message }] });
}

type Voices = { voices: ReadonlyMap<string, SuppliedVoice>; agentName: string | null };

/** Speakers in order of first appearance, with our own ids where the source has none. */
function toSpeakers(segments: readonly SuppliedSegment[], { voices, agentName }: Voices): Map<string, Speaker> {
  const heard = new Map<string, SuppliedVoice>();
  for (const { voice } of segments) {
    if (!heard.has(voice)) heard.set(voice, nameAgent(voices.get(voice), agentName));
  }
  const roles = rolesOf(heard, { segments, agentName });
  const taken = new Set([...heard.values()].map(({ id }) => id));
  const agents = [...roles.values()].filter((role) => role === 'agent').length;
  let next = 0;
  const freeId = () => {
    while (taken.has(`spk_${next}`)) next += 1;
    return `spk_${next++}`;
  };
  return new Map(
    [...heard].map(([key, { id, name }]) => {
      const role = roles.get(key) ?? 'unknown';
      const ownName = role === 'agent' && agents === 1 ? agentName : null;
      return [key, { id: id ?? freeId(), role, name: name ?? ownName }];
    }),
  );
}

type Said = { segments: readonly SuppliedSegment[]; agentName: string | null };

function rolesOf(heard: ReadonlyMap<string, SuppliedVoice>, { segments, agentName }: Said): Map<string, SpeakerRole> {
  const texts = new Map([...heard.keys()].map((key): [string, string[]] => [key, []]));
  for (const { voice, text } of segments) texts.get(voice)?.push(text);
  const voices = [...heard].map(([id, { role }]) => ({ id, role, channel: 0, texts: texts.get(id) ?? [] }));
  return assignRoles({ voices, layout: 'mixed', agentName });
}

function nameAgent(voice: SuppliedVoice | undefined, agentName: string | null): SuppliedVoice {
  const { id, role, name } = voice ?? { id: null, role: null, name: null };
  const isAgent = role === null && name !== null && agentName !== null && isSameName(name, agentName);
  return { id, name, role: isAgent ? 'agent' : role };
}

function toSegment(segment: SuppliedSegment, place: { index: number; speaker: Speaker | undefined }): Segment {
  const { startMs, endMs, text, channel, confidence, words } = segment;
  const { id: speaker, role } = place.speaker ?? { id: 'spk_0', role: 'unknown' as const };
  const id = newId('segment');
  return { id, index: place.index, speaker, role, channel, startMs, endMs, text, confidence, words };
}

function invalid(what: string): AppError {
  return validationError('transcript', `The transcript ${what}.`);
}
