import { describe, expect, it } from 'vitest';
import { clinicCalls } from '../../src/demo/calls/clinic.ts';
import { serviceDeskCalls } from '../../src/demo/calls/service-desk.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import { withInferredRoles } from '../../src/scoring/roles/inferred.ts';
import { likelyAgent } from '../../src/scoring/roles/utterances.ts';
import { roleWeights } from '../../src/scoring/roles/weights.ts';
import { scoreCall } from '../support/score-call.ts';
import { countWords, createTokenReader } from '../../src/model/text/tokens.ts';
import { call, storedCalls, storedTranscript } from './corpus.ts';
import { english } from './mono/english.ts';
import { german } from './mono/german.ts';
import { russian } from './mono/russian.ts';
import { spanish } from './mono/spanish.ts';

/** A call with everybody on one track: nothing says who speaks. */
function mono({ segments, ...rest }: Transcript): Transcript {
  const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
  return {
    ...rest,
    speakers: [{ id: 'spk_0', role: 'unknown', name: null }],
    segments: inOrder.map((each, index) => ({ ...each, index, speaker: 'spk_0', role: 'unknown', channel: 0 })),
    channels: 1,
  };
}

function unpunctuated(transcript: Transcript): Transcript {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}' ]+/gu, ' ');
  return { ...transcript, segments: transcript.segments.map((each) => ({ ...each, text: plain(each.text) })) };
}

/** Shares of the words with the right role and with the wrong one. */
function shares(transcripts: readonly Transcript[]): { right: number; wrong: number } {
  const count = { right: 0, wrong: 0, all: 0 };
  for (const transcript of transcripts) {
    const truth = new Map(transcript.segments.map(({ id, role }) => [id, role]));
    for (const { id, role, text } of withInferredRoles(mono(transcript), null).segments) {
      const words = countWords(text);
      count.all += words;
      if (role === truth.get(id)) count.right += words;
      else if (role !== 'unknown') count.wrong += words;
    }
  }
  return { right: count.right / count.all, wrong: count.wrong / count.all };
}

const demo = [...serviceDeskCalls, ...clinicCalls].map(({ lines }) =>
  call(lines.map(({ by, text }) => `${by === 'agent' ? 'A' : 'C'}: ${text}`).join('\n')),
);
const corpora: Record<string, Transcript[]> = {
  'the demo': demo.map(({ transcript }) => transcript),
  'real calls, as people wrote them': storedCalls().map((each) => storedTranscript(each, 'text').transcript),
  'real calls, as recognised': storedCalls().map((each) => storedTranscript(each, 'asr').transcript),
  ...Object.fromEntries(
    Object.entries({ English: english, German: german, Spanish: spanish, Russian: russian }).flatMap(
      ([name, scripts]) => {
        const written = scripts.map((script) => call(script).transcript);
        return [
          [`offices in ${name}`, written],
          [`offices in ${name}, without punctuation`, written.map(unpunctuated)],
        ];
      },
    ),
  ),
};

describe('people on one track', () => {
  it.each(Object.keys(corpora))('are told apart by what they say, and hardly ever wrongly: %s', (name) => {
    const { right, wrong } = shares(corpora[name] ?? []);
    expect(right).toBeGreaterThanOrEqual(0.75);
    expect(wrong).toBeLessThanOrEqual(0.03);
  });
});

const answersOf = ({ checks }: Scorecard) => Object.fromEntries(checks.map(({ key, answer }) => [key, answer]));

function scoreMono(script: string): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: withInferredRoles(mono(transcript), null), durationMs, rubric: defaultRubric });
}

describe('a transcript of one track', () => {
  const [script = ''] = english;
  const said = mono(call(script).transcript);

  it('shows the roles that were told, as such, with a speaker for each', () => {
    const { speakers, segments } = withInferredRoles(said, 'Pete Miller');
    const told = segments.filter(({ role }) => role !== 'unknown');
    expect(told.length).toBeGreaterThan(segments.length / 2);
    expect(told.every(({ roleInferred }) => roleInferred)).toBe(true);
    expect(segments.filter(({ role }) => role === 'unknown').some(({ roleInferred }) => roleInferred)).toBe(false);
    expect(speakers.find(({ role }) => role === 'agent')).toMatchObject({ name: 'Pete Miller', roleInferred: true });
    const roles = new Map(speakers.map(({ id, role }) => [id, role]));
    expect(roles.size).toBe(speakers.length);
    expect(segments.every(({ speaker, role }) => roles.get(speaker) === role)).toBe(true);
  });

  it('hears another person where somebody talks at the same time', () => {
    const lines = [
      'Northwind, how can I help you?',
      'My parcel has not come.',
      'It was sent on Monday.',
      'Let me see.',
    ];
    const read = createTokenReader();
    const likelyThird = (startMs: number): number => {
      const heard = lines.map((text, at) => ({
        text,
        tokens: read(text),
        startMs: at === 2 ? startMs : at * 3000,
        endMs: at * 3000 + 1500,
      }));
      return likelyAgent(heard, { agentName: null, weights: roleWeights() })[2] ?? 0;
    };
    const [after, during] = [likelyThird(6000), likelyThird(4000)];
    expect(after).toBeLessThan(0.5);
    expect(during).toBeGreaterThan(0.5);
  });

  it('believes no times by which everybody talks all the time', () => {
    const always = { ...said, segments: said.segments.map((each) => ({ ...each, startMs: 0, endMs: 60_000 })) };
    const rolesOf = ({ segments }: Pick<Transcript, 'segments'>) => segments.map(({ role }) => role);
    expect(rolesOf(withInferredRoles(always, null))).toEqual(rolesOf(withInferredRoles(said, null)));
  });

  it('stays as it is the second time', () => {
    const once = withInferredRoles(said, null);
    expect(withInferredRoles(once, null)).toBe(once);
  });

  it('stays as it is where somebody is known, has a name, or is hardly heard', () => {
    const { transcript } = call(script);
    expect(withInferredRoles(transcript, null)).toBe(transcript);
    const named = { ...said, speakers: [{ id: 'spk_0', role: 'unknown' as const, name: 'Linda' }] };
    expect(withInferredRoles(named, null)).toBe(named);
    const short = { ...said, segments: said.segments.slice(0, 2) };
    expect(withInferredRoles(short, null)).toBe(short);
  });

  it('keeps a recorded announcement apart', () => {
    const menu = { id: 'menu', role: 'ivr' as const, name: null };
    const [first, ...rest] = said.segments;
    if (!first) throw new Error('Nothing is said.');
    const segments = [
      { ...first, speaker: 'menu', role: 'ivr' as const, text: 'Press one for the workshop.' },
      ...rest,
    ];
    const told = withInferredRoles({ ...said, speakers: [...said.speakers, menu], segments }, null);
    expect(told.segments[0]).toMatchObject({ speaker: 'menu', role: 'ivr' });
    expect(told.segments.some(({ role }) => role === 'agent')).toBe(true);
  });
});

describe('a call on one track', () => {
  it('has a value for every category where it is clear who speaks', () => {
    const card = scoreMono(`
      A: Good morning, thank you for calling Northwind Energy, my name is Sarah. How can I help you today?
      C: Hi, I would like to move my engineer visit to Thursday.
      A: Of course. Could you tell me your account number, please?
      C: It is four seven two nine one.
      A: Thank you. Let me check the calendar. Your visit has been moved to Thursday at nine.
      C: Perfect, thank you.
      A: Is there anything else I can help you with?
      C: No, that is all, thank you very much.
      A: Thank you for calling. Have a lovely day, goodbye.`);
    expect(card.categories['problemResolution']).toBeGreaterThanOrEqual(80);
    expect(card.qualityScore).toBeGreaterThanOrEqual(80);
    expect(answersOf(card)).toMatchObject({ 'greeting.offer': 'pass', 'problem.resolved': 'pass' });
  });

  it('accuses nobody by a role that was told from the words', () => {
    const card = scoreMono(`
      A: Thank you for calling Northwind Energy, how can I help you?
      C: I would like to know why my bill is so high.
      A: Because you are an idiot. Can I have your account number please?
      C: It is four seven two nine one.
      A: I have sent you a new bill. Is there anything else I can help you with?
      C: No, that is all.`);
    expect(answersOf(card)['professionalism.respect']).toBe('needs_review');
    expect(card.complianceStatus).not.toBe('failed');
  });

  it('leaves to a person what depends on who says the unclear part', () => {
    const { transcript, durationMs } = call(`
      A: Thank you for calling Northwind Energy, how can I help you?
      C: I would like to move my engineer visit to Thursday.
      ?: It has been moved to Thursday at nine.
      C: Perfect, thank you.`);
    const segments = transcript.segments.map((each) =>
      each.role === 'unknown' ? each : { ...each, roleInferred: true },
    );
    const card = scoreCall({ transcript: { ...transcript, segments }, durationMs, rubric: defaultRubric });
    const resolved = card.checks.find(({ key }) => key === 'problem.resolved');
    expect(resolved?.answer).toBe('needs_review');
    expect(resolved?.rationale).toContain('not clear');
  });
});
