import { describe, expect, it } from 'vitest';
import { parseSuppliedTranscript } from '../../src/domain/transcripts/supplied-transcript.ts';
import { formatTranscript, transcriptFormats } from '../../src/domain/transcripts/transcript-formats.ts';
import type { Speaker, Transcript } from '../../src/model/transcript.ts';

const speakers: Speaker[] = [
  { id: 'spk_0', role: 'agent', name: 'Elizabeth' },
  { id: 'spk_1', role: 'customer', name: null },
  { id: 'spk_2', role: 'ivr', name: null },
  { id: 'spk_3', role: 'unknown', name: null },
];

function transcriptOf(lines: [speaker: string, startMs: number, endMs: number, text: string][]): Transcript {
  return {
    recordId: 'rec_1',
    language: 'en',
    source: 'speech-to-text',
    model: 'test',
    channels: 2,
    speakers,
    segments: lines.map(([speaker, startMs, endMs, text], index) => ({
      id: `seg_${index}`,
      index,
      speaker,
      role: speakers.find(({ id }) => id === speaker)?.role ?? 'unknown',
      channel: 0,
      startMs,
      endMs,
      text,
      confidence: 0.9,
      words: [],
    })),
    text: lines.map(([, , , text]) => text).join('\n'),
  };
}

const call = transcriptOf([
  ['spk_2', 0, 900, 'Calls are recorded.'],
  ['spk_0', 1000, 2500, 'Hello, how can I help?'],
  ['spk_1', 3_723_004, 3_725_999, 'Hi: my card --> is <b>lost</b> & gone; 2 < 3'],
  ['spk_3', 3_725_999, 3_726_000, 'uh\n\nwell'],
]);

describe('formatTranscript', () => {
  it('writes WebVTT with voices and everything escaped', () => {
    expect(formatTranscript(call, 'vtt')).toBe(`WEBVTT

seg_0
00:00:00.000 --> 00:00:00.900
<v.ivr System>Calls are recorded.

seg_1
00:00:01.000 --> 00:00:02.500
<v.agent Elizabeth>Hello, how can I help?

seg_2
01:02:03.004 --> 01:02:05.999
<v.customer Customer>Hi: my card --&gt; is &lt;b&gt;lost&lt;/b&gt; &amp; gone; 2 &lt; 3

seg_3
01:02:05.999 --> 01:02:06.000
<v.unknown Speaker 4>uh well
`);
  });

  it('writes SubRip with labels', () => {
    const short = transcriptOf([
      ['spk_0', 1000, 2500, 'Hello.'],
      ['spk_1', 3000, 3000, 'Hi.'],
    ]);
    expect(formatTranscript(short, 'srt')).toBe(`1
00:00:01,000 --> 00:00:02,500
Elizabeth (agent): Hello.

2
00:00:03,000 --> 00:00:03,001
Customer: Hi.
`);
  });

  it('writes plain lines', () => {
    expect(formatTranscript(call, 'txt').split('\n')).toEqual([
      '[00:00:00] System: Calls are recorded.',
      '[00:00:01] Elizabeth (agent): Hello, how can I help?',
      '[01:02:03] Customer: Hi: my card --> is <b>lost</b> & gone; 2 < 3',
      '[01:02:05] Speaker 4: uh well',
      '',
    ]);
  });

  it('marks roles that were told from what is said', () => {
    const inferred = speakers.map((each) => (each.role === 'ivr' ? each : { ...each, roleInferred: true }));
    const written = { ...call, speakers: inferred };
    expect(formatTranscript(written, 'vtt')).toContain('<v.agent.inferred Elizabeth>');
    expect(formatTranscript(written, 'srt')).toContain('Elizabeth (agent, inferred): Hello');
    expect(formatTranscript(written, 'txt')).toContain('Customer (inferred): Hi');
    expect(formatTranscript(written, 'txt')).toContain('System: Calls');
  });

  it.each(transcriptFormats)('writes an empty transcript as an empty %s file', (format) => {
    const empty = { ...transcriptOf([]), speakers: [] };
    expect(formatTranscript(empty, format).trim()).toBe(format === 'vtt' ? 'WEBVTT' : '');
  });

  it.each(['vtt', 'srt'] as const)('gives the same speech again when its %s is supplied', (format) => {
    const hostile = transcriptOf([
      ['spk_2', 0, 900, 'NOTE this is no note'],
      ['spk_0', 1000, 2500, 'WEBVTT'],
      ['spk_1', 2600, 2700, '00:00:01.000 --> 00:00:02.000'],
      ['spk_0', 2700, 2800, 'Customer: is what I call you; &amp; {\\x} <v Bob> [noise] </v>'.replace('{\\x} ', '')],
      ['spk_1', 2900, 3000, '- Agent: you said'],
      ['spk_1', 3100, 86_400_000, 'Remember: 10:30 – "ünïcödé" 🎧 ≤ 5 & 3 < 4 > 2'],
      ['spk_0', 86_400_000, 86_400_500, '12'],
    ]);
    const again = parseSuppliedTranscript({
      text: formatTranscript(hostile, format),
      recordId: 'rec_2',
      language: 'en',
      agentName: null,
    });
    const essence = ({ segments }: Transcript) =>
      segments.map(({ index, startMs, endMs, text, role }) => ({ index, startMs, endMs, text, role }));
    expect(essence(again)).toEqual(essence(hostile));
    const names = (transcript: Transcript) => transcript.speakers.map(({ role, name }) => `${role}:${name}`).sort();
    expect(names(again)).toEqual(names({ ...hostile, speakers: speakers.slice(0, 3) }));
    expect(formatTranscript(again, format).replaceAll(/seg_\w+/g, '')).toBe(
      formatTranscript(hostile, format).replaceAll(/seg_\w+/g, ''),
    );
  });
});
