import { z } from 'zod';
import { detailsOf } from '../../lib/details.ts';
import { AppError } from '../../lib/errors.ts';
import { refuseNearMisses } from '../../lib/near-misses.ts';
import { parseStorableJson } from '../../lib/storable-json.ts';
import { readLabel, roleOf } from './speaker-labels.ts';
import type { ChannelMap } from '../../model/channel-map.ts';
import type { SuppliedSegment, SuppliedSpeech, SuppliedVoice } from './supplied-speech.ts';
import { GivenLanguage } from '../../model/transcript.ts';

const time = z.number().min(0).transform(Math.round);
const confidence = z.number().min(0).max(1).nullish();
const label = z
  .union([z.string().max(200), z.int()])
  .transform(String)
  .nullish();
const isOrdered = ({ startMs, endMs }: { startMs: number; endMs: number }): boolean => startMs <= endMs;
const unordered = { path: ['endMs'], message: 'Must not be before startMs' };

/** Additional fields of other programs are ignored, unless they look like misspelt known ones. */
function withFurtherFields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape).superRefine(refuseNearMisses(Object.keys(shape)));
}

const GivenWord = withFurtherFields({ text: z.string(), startMs: time, endMs: time, confidence }).refine(
  isOrdered,
  unordered,
);

const GivenSegment = withFurtherFields({
  speaker: label,
  role: label,
  channel: z.int().min(0).max(31).nullish(),
  startMs: time,
  endMs: time,
  text: z.string(),
  confidence,
  roleInferred: z.boolean().nullish(),
  words: z.array(GivenWord).nullish(),
}).refine(isOrdered, unordered);

const GivenSpeaker = withFurtherFields({
  id: z.string().min(1).max(64),
  role: label,
  name: z.string().max(200).nullish(),
  roleInferred: z.boolean().nullish(),
});

/** `Transcript`, with every field optional that can be derived. */
const GivenTranscript = withFurtherFields({
  language: GivenLanguage.nullish(),
  channels: z.int().min(1).max(32).nullish(),
  speakers: z.array(GivenSpeaker).nullish(),
  segments: z.array(GivenSegment),
});

type GivenSegment = z.infer<typeof GivenSegment>;
type GivenSpeaker = z.infer<typeof GivenSpeaker>;

const issuesMax = 20;

/** Reads `Transcript` or a plain list of segments. Throws VALIDATION_ERROR with the paths of all mistakes. */
export function parseTranscriptJson(text: string, channelMap: ChannelMap | null): SuppliedSpeech {
  const json = parseStorableJson({ text, path: 'transcript' });
  const given = Array.isArray(json) ? { segments: json } : unwrap(json);
  const parsed = GivenTranscript.safeParse(given);
  if (!parsed.success) {
    const error = { issues: parsed.error.issues.slice(0, issuesMax) };
    const details = detailsOf(Array.isArray(json) ? withoutFirst(error) : error, ['transcript']);
    throw new AppError('VALIDATION_ERROR', 'The transcript is not valid.', { details });
  }
  const { language, channels, speakers, segments } = withoutInferred(parsed.data);
  const described = new Map(speakers?.map((speaker) => [speaker.id, speaker]));
  const voices = new Map<string, SuppliedVoice>();
  const supplied = segments.map((segment) => toSupplied(segment, { described, voices, channelMap }));
  const channelsSeen = supplied.reduce((most, { channel }) => Math.max(most, channel + 1), 1);
  return { language: language ?? null, channels: Math.max(channels ?? 1, channelsSeen), voices, segments: supplied };
}

/**
 * Roles that were only inferred are inferred again: all those segments become one unknown voice, apart from
 * announcements.
 */
function withoutInferred(given: z.infer<typeof GivenTranscript>): z.infer<typeof GivenTranscript> {
  if (!given.segments.some(({ roleInferred }) => roleInferred)) return given;
  const segments = given.segments.map((each) =>
    roleOf(each.role ?? '') === 'ivr' ? each : { ...each, speaker: null, role: null, channel: null },
  );
  return { ...given, segments };
}

/** A bare list is wrapped in an object for validation; the sender must not see that in the paths. */
function withoutFirst({ issues }: Pick<z.core.$ZodError, 'issues'>): Pick<z.core.$ZodError, 'issues'> {
  return { issues: issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })) };
}

/** This service's own answers wrap the transcript in `data`. */
function unwrap(json: unknown): unknown {
  const isWrapped = typeof json === 'object' && json !== null && 'data' in json && !('segments' in json);
  return isWrapped ? json.data : json;
}

type Known = {
  described: ReadonlyMap<string, GivenSpeaker>;
  voices: Map<string, SuppliedVoice>;
  channelMap: ChannelMap | null;
};

function toSupplied(segment: GivenSegment, { described, voices, channelMap }: Known): SuppliedSegment {
  const { speaker, role, channel, startMs, endMs, confidence = null, words } = segment;
  const voice = speaker ?? role ?? (channel == null ? '' : `channel ${channel}`);
  if (!voices.has(voice)) {
    const found = toVoice(voice, { speaker: described.get(voice), role });
    const byChannel = channel == null ? null : (channelMap?.[String(channel)] ?? null);
    voices.set(voice, { ...found, role: found.role ?? byChannel });
  }
  return {
    voice,
    startMs,
    endMs,
    confidence,
    channel: channel ?? 0,
    text: segment.text.replace(/\s+/g, ' ').trim(),
    words: (words ?? []).map((word) => ({ ...word, confidence: word.confidence ?? null })),
  };
}

type Description = { speaker: GivenSpeaker | undefined; role: string | null | undefined };

function toVoice(key: string, { speaker, role }: Description): SuppliedVoice {
  const label = readLabel(key);
  const told = roleOf(speaker?.role ?? '') ?? roleOf(role ?? '');
  if (!speaker) return { id: null, role: told ?? label.role, name: label.name };
  return { id: speaker.id, role: told ?? label.role, name: speaker.name ?? null };
}
