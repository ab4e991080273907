import { type Json, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { Segment, TranscriptDetail } from '../../model/transcript.ts';
import { formatTranscript } from './transcript-formats.ts';

export const segments: Segment[] = [
  {
    id: ids.segments[0],
    index: 0,
    speaker: 'spk_1',
    role: 'agent',
    channel: 1,
    startMs: 640,
    endMs: 3_180,
    text: 'Good morning, how can I help you?',
    confidence: 0.94,
    words: [
      { text: 'Good', startMs: 640, endMs: 850, confidence: 0.97 },
      { text: 'morning,', startMs: 850, endMs: 1_390, confidence: 0.95 },
    ],
  },
  {
    id: ids.segments[1],
    index: 1,
    speaker: 'spk_0',
    role: 'customer',
    channel: 0,
    startMs: 3_900,
    endMs: 7_260,
    text: 'I would like a refund for order four seven one one. My number is [phone number].',
    confidence: 0.91,
    words: [],
  },
  {
    id: ids.segments[2],
    index: 2,
    speaker: 'spk_1',
    role: 'agent',
    channel: 1,
    startMs: 8_020,
    endMs: 12_450,
    text: 'Your refund has been sent, it will be there by Friday.',
    confidence: 0.93,
    words: [],
  },
];

const transcript: Json<TranscriptDetail> = {
  recordId: ids.record,
  language: 'en',
  source: 'speech-to-text',
  model: 'pocketsphinx/en-us',
  channels: 2,
  speakers: [
    { id: 'spk_0', role: 'customer', name: null },
    { id: 'spk_1', role: 'agent', name: 'Maria Lopez' },
  ],
  segments,
  text: segments.map(({ text }) => text).join('\n'),
  redactions: [{ kind: 'phone_number', segmentId: ids.segments[1], startMs: 3_900, endMs: 7_260 }],
};

export const subtitles = {
  vtt: formatTranscript(transcript, 'vtt'),
  srt: formatTranscript(transcript, 'srt'),
  txt: formatTranscript(transcript, 'txt'),
};

export const examples = {
  getRecordTranscript: {
    responses: {
      200: {
        description: 'The transcript in the format that was asked for.',
        examples: {
          'application/json': { json: { summary: 'format=json', value: { data: transcript } } },
          'text/vtt': { vtt: { summary: 'format=vtt', value: subtitles.vtt } },
          'application/x-subrip': { srt: { summary: 'format=srt', value: subtitles.srt } },
          'text/plain': { txt: { summary: 'format=txt', value: subtitles.txt } },
        },
      },
    },
  },
  getRecordCaptions: {
    responses: {
      200: {
        description: 'What was said, as subtitles or lines of text.',
        examples: {
          'text/vtt': { vtt: { summary: 'format=vtt', value: subtitles.vtt } },
          'text/srt': { srt: { summary: 'format=srt', value: subtitles.srt } },
          'text/plain': { txt: { summary: 'format=txt', value: subtitles.txt } },
        },
      },
    },
  },
} satisfies Record<string, OperationExamples>;
