import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChannelMap } from '../../model/channel-map.ts';
import type { Segment, Speaker, Transcript } from '../../model/transcript.ts';
import type { DrawnWaveform } from '../../model/waveform.ts';
import { newId } from '../../lib/ids.ts';
import { observed } from '../../lib/observe.ts';
import { type DecodedAudio, decodeAudio } from '../audio/decode.ts';
import type { AudioFormat } from '../audio/formats.ts';
import { type AudioLimits, audioLimits } from '../audio/limits.ts';
import type { AssignRoles, HeardUtterance, SpeechEngine } from './interface.ts';
import { languageTag } from './language-tag.ts';
import { toSegments } from './segments.ts';

export type TranscribeRecordingInput = {
  recordId: string;
  /** A local file. Read only. */
  path: string;
  format: AudioFormat;
  /** An empty folder that the caller deletes. */
  workDir: string;
  engine: SpeechEngine;
  assignRoles: AssignRoles;
  /** BCP 47 tag, or null if unknown. */
  language: string | null;
  channelMap: ChannelMap | null;
  agentName: string | null;
  signal: AbortSignal;
  limits?: AudioLimits | undefined;
};

export type TranscribedRecording = {
  transcript: Transcript;
  durationMs: number;
  channels: number;
  /** Hz of the recording. */
  sampleRate: number;
  waveform: DrawnWaveform;
};

/**
 * Decodes a recording, recognises each voice, and sorts what they say by time. The same engine output gives the same
 * transcript except for the ids, which are sorted. Throws `AudioError`, `SpeechError` or the signal's reason.
 */
export async function transcribeRecording(input: TranscribeRecordingInput): Promise<TranscribedRecording> {
  const { path, format, workDir, engine, signal } = input;
  // Some servers once reported languages by name: what was stored then is not a tag.
  const language = languageTag(input.language);
  const source = { path, format };
  const decoded = await decodeAudio(source, { workDir, signal, limits: input.limits ?? audioLimits });
  const audio = { ...decoded, layout: layoutOf(decoded, input.channelMap) };
  const engineDir = join(workDir, 'engine');
  await mkdir(engineDir, { recursive: true });
  const heard = await observed({ provider: engine.name, operation: 'transcribe' }, () =>
    engine.transcribe({ source, audio, language, workDir: engineDir, signal }),
  );
  const segments = toSegments(heard.utterances, audio);
  return {
    transcript: { ...describe(input, audio, segments), language: languageTag(heard.language), model: heard.model },
    durationMs: audio.durationMs,
    channels: audio.channels,
    sampleRate: audio.sampleRate,
    waveform: audio.waveform,
  };
}

/** With a channel map, each channel is a person, even a silent one; duplicate channels are one track. */
function layoutOf({ layout, voices }: DecodedAudio, channelMap: ChannelMap | null): DecodedAudio['layout'] {
  const isMapped = voices.length > 1 && voices.some(({ channel }) => channelMap?.[String(channel)] !== undefined);
  return isMapped ? 'separate' : layout;
}

type Described = Omit<Transcript, 'language' | 'model'>;

function describe(input: TranscribeRecordingInput, audio: DecodedAudio, heard: HeardUtterance[]): Described {
  const byKey = Map.groupBy(heard.toSorted(byVoice), voiceKey);
  const ids = new Map([...byKey.keys()].map((key, index) => [key, `spk_${index}`]));
  const idOf = (utterance: HeardUtterance): string => ids.get(voiceKey(utterance)) ?? 'spk_0';
  const voices = [...byKey].map(([key, own]) => {
    const channel = own[0]?.channel ?? 0;
    // On a single track, the channel map does not apply: its channels are not people.
    const role = (audio.layout === 'separate' && input.channelMap?.[String(channel)]) || null;
    return { id: ids.get(key) ?? '', role, channel, texts: own.map(({ text }) => text) };
  });
  const roles = input.assignRoles({ voices, layout: audio.layout, agentName: input.agentName });
  const speakers: Speaker[] = voices.map(({ id }) => {
    const role = roles.get(id) ?? 'unknown';
    return { id, role, name: role === 'agent' ? input.agentName : null };
  });
  const segments: Segment[] = heard.map((utterance, index) => {
    const { channel, startMs, endMs, text, confidence, words } = utterance;
    const speaker = idOf(utterance);
    const role = roles.get(speaker) ?? 'unknown';
    return { id: newId('segment'), index, speaker, role, channel, startMs, endMs, text, confidence, words };
  });
  const text = segments.map((segment) => segment.text).join('\n');
  const { recordId } = input;
  return { recordId, source: 'speech-to-text', channels: audio.channels, speakers, segments, text };
}

function byVoice(a: HeardUtterance, b: HeardUtterance): number {
  return a.channel - b.channel || (a.voice ?? '').localeCompare(b.voice ?? '', 'en', { numeric: true });
}

function voiceKey({ channel, voice }: HeardUtterance): string {
  return `${channel}/${voice ?? ''}`;
}
