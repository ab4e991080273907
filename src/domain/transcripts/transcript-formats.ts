import type { KeptTranscript } from './kept-transcript.ts';
import type { Segment, Speaker, SpeakerRole, Transcript } from '../../model/transcript.ts';

export const transcriptFormats = ['vtt', 'srt', 'txt'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

export const transcriptMediaTypes: Record<TranscriptFormat, string> = {
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** Those of `/captions`. Generated clients take a body for text only where its type says so. */
export const captionMediaTypes: Record<TranscriptFormat, string> = {
  ...transcriptMediaTypes,
  srt: 'text/srt; charset=utf-8',
};

/**
 * Formats a transcript as subtitles (WebVTT, SubRip) or as plain lines `[hh:mm:ss] Speaker: text`. Supplying such a
 * WebVTT or SubRip file again gives the same segments, without word times.
 */
export function formatTranscript(
  transcript: Pick<Transcript, 'speakers' | 'segments'>,
  format: TranscriptFormat,
): string {
  const speakers = new Map(transcript.speakers.map((speaker, index) => [speaker.id, { ...speaker, index }]));
  const lines = transcript.segments.map((segment, index) => {
    const speaker = speakers.get(segment.speaker) ?? { id: '', role: segment.role, name: null, index: speakers.size };
    return writers[format]({ segment, speaker, index });
  });
  return format === 'vtt' ? ['WEBVTT\n', ...lines].join('\n') : lines.join(format === 'srt' ? '\n' : '');
}

/** The same for a stored transcript. */
export function formatKeptTranscript({
  format,
  speakers,
  segments,
}: Pick<KeptTranscript, 'speakers' | 'segments'> & { format: TranscriptFormat }): string {
  return formatTranscript({ speakers, segments: JSON.parse(segments) as Segment[] }, format);
}

/** Marks a role that was inferred only from what is said. */
const inferred = 'inferred';

type Written = { segment: Segment; speaker: Speaker & { index: number }; index: number };

const writers: Record<TranscriptFormat, (written: Written) => string> = {
  vtt({ segment, speaker }) {
    const { id, startMs, endMs, text } = segment;
    const name = speaker.name ?? plainLabel(speaker);
    const voice = `v.${speaker.role}${speaker.roleInferred ? `.${inferred}` : ''} ${escapeVtt(oneLine(name))}`;
    return `${id}\n${clock(startMs, '.')} --> ${clock(cueEnd(startMs, endMs), '.')}\n<${voice}>${escapeVtt(oneLine(text))}\n`;
  },
  srt({ segment, speaker, index }) {
    const { startMs, endMs, text } = segment;
    const times = `${clock(startMs, ',')} --> ${clock(cueEnd(startMs, endMs), ',')}`;
    return `${index + 1}\n${times}\n${label(speaker)}: ${oneLine(text)}\n`;
  },
  txt({ segment, speaker }) {
    return `[${clock(segment.startMs, '.').slice(0, -4)}] ${label(speaker)}: ${oneLine(segment.text)}\n`;
  },
};

const roleLabels: Record<SpeakerRole, string | null> = {
  agent: 'Agent',
  customer: 'Customer',
  ivr: 'System',
  unknown: null,
};

function label(speaker: Speaker & { index: number }): string {
  const role = roleLabels[speaker.role];
  // A colon would end the label too early.
  const name = oneLine(speaker.name ?? '')
    .replaceAll(':', ' ')
    .trim();
  const notes = [
    ...(name === '' || role === null ? [] : [role.toLowerCase()]),
    ...(speaker.roleInferred ? [inferred] : []),
  ];
  const shown = name === '' ? plainLabel(speaker) : name;
  return notes.length === 0 ? shown : `${shown} (${notes.join(', ')})`;
}

function plainLabel({ role, index }: Speaker & { index: number }): string {
  return roleLabels[role] ?? `Speaker ${index + 1}`;
}

/** Cues need a duration (W3C WebVTT, section 4.1): players drop those that end where they start. */
function cueEnd(startMs: number, endMs: number): number {
  return Math.max(endMs, startMs + 1);
}

function clock(ms: number, point: '.' | ','): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000, 2)}:${pad((ms / 60_000) % 60, 2)}:${pad((ms / 1000) % 60, 2)}${point}${pad(ms % 1000, 3)}`;
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An empty line would end a cue. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
