import { parseSuppliedTranscript } from '../../../src/domain/transcripts/supplied-transcript.ts';
import type { KeptTranscript } from '../../../src/domain/transcripts/kept-transcript.ts';
import type { Transcript } from '../../../src/model/transcript.ts';

/** A service call of a minute, as a telephony system would transcribe it. */
export const callVtt = `WEBVTT

00:01.000 --> 00:05.200
<v Agent>Thank you for calling Northwind Energy, my name is Sarah. How can I help you today?

00:06.000 --> 00:11.400
<v Customer>Hi Sarah, my name is Tom Keller. I was charged twice for my bill this month.

00:12.000 --> 00:16.800
<v Agent>I am sorry to hear that, Tom. May I have your account number so I can look into it?

00:17.400 --> 00:20.900
<v Customer>Sure, it is four four seven one two nine.

00:22.000 --> 00:29.300
<v Agent>Thank you. I can see two payments on the third of May. I will refund the second one right away.

00:30.000 --> 00:33.500
<v Customer>Great. How long will that take?

00:34.000 --> 00:40.700
<v Agent>You will have it on your card within three working days, and I am sending you a confirmation now.

00:41.500 --> 00:44.000
<v Customer>Perfect, that solves it. Thank you.

00:44.800 --> 00:50.200
<v Agent>Is there anything else I can help you with today?

00:51.000 --> 00:53.200
<v Customer>No, that is all.

00:53.900 --> 00:58.600
<v Agent>Thank you for calling Northwind Energy, have a great day. Goodbye.
`;

export function suppliedTranscript(recordId: string): KeptTranscript {
  return kept(parseSuppliedTranscript({ text: callVtt, recordId, language: 'en', agentName: 'Sarah' }));
}

/** Ready to be stored, as it is. */
export function kept({ text: _text, segments, ...transcript }: Transcript): KeptTranscript {
  return { ...transcript, segments: JSON.stringify(segments), redactions: null, namesRedacted: false };
}
