import type { CallToScore } from '../../src/domain/heavy-work.ts';
import { Rubric } from '../../src/model/rubric.ts';
import type { Segment } from '../../src/model/transcript.ts';

/** What people say on the phone, so that no search for it ends at its first word. */
const sentences = [
  'thank you for calling how can i help you today with your account',
  'i need to know why my bill is so high this month could you check',
  'of course let me have a look please bear with me for one moment',
  'yes that is right and the order number is four four seven one two',
  'i have sent you a new link and it should be with you in an hour',
];

function sentence(n: number): string {
  return sentences[n % sentences.length] ?? '';
}

/** A transcript as a telephony system supplies it, of so many words at least. */
export function longVtt(words: number): string {
  const cues: string[] = [];
  for (let count = 0; count < words; count += sentence(cues.length - 1).split(' ').length) {
    const n = cues.length;
    const at = (second: number): string => new Date(second * 1000).toISOString().slice(11, 23);
    cues.push(`${at(n * 2)} --> ${at(n * 2 + 1)}\n<v ${n % 2 ? 'Customer' : 'Agent'}>${sentence(n)}`);
  }
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

/** The largest profile that people may have in mind: six categories of fifty checks with nine phrases each. */
export const largeRubric = {
  categories: Array.from({ length: 6 }, (_, c) => ({
    key: `c${c}`,
    title: 'Category',
    weight: 1,
    checks: Array.from({ length: 50 }, (_, k) => ({
      key: `c${c}.k${k}`,
      title: 'Says it',
      weight: 1,
      kind: 'phrase' as const,
      role: 'anyone' as const,
      phrases: Array.from({ length: 9 }, (_, p) => `${sentence(p).split(' ').slice(0, 8).join(' ')} x${c}y${k}z${p}`),
    })),
  })),
  compliance: [],
};

/** The same call as it is stored, with the profile. */
export function longCall({
  words,
  rubric,
  key = null,
}: {
  words: number;
  rubric: object;
  key?: string | null;
}): CallToScore {
  const segments: Segment[] = [];
  for (let count = 0; count < words; count += sentence(segments.length - 1).split(' ').length) {
    const index = segments.length;
    const role = index % 2 ? 'customer' : 'agent';
    const times = { startMs: index * 2000, endMs: index * 2000 + 1500 };
    const said = {
      speaker: role,
      role,
      channel: 0,
      ...times,
      text: sentence(index),
      confidence: null,
      words: [],
    } as const;
    segments.push({ ...said, words: [], id: `seg_${index}`, index });
  }
  const transcript = { recordId: 'rec_1', language: 'en', source: 'supplied' as const, model: null, channels: 1 };
  return {
    transcript: { ...transcript, speakers: [], segments: JSON.stringify(segments), durationMs: null },
    // As a profile is stored: with what its author left out.
    rubric: { key, json: JSON.stringify(Rubric.parse(rubric)) },
    agentName: null,
    durationSeconds: null,
  };
}
