import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { Rubric } from '../../src/model/rubric.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { scoreCall } from '../support/score-call.ts';
import { answersOf, call, storedCalls, transcriptOf } from './corpus.ts';
import { INVENTED } from './invented-calls.ts';
import { INVENTED_2 } from './invented-calls-2.ts';
import { INVENTED_3 } from './invented-calls-3.ts';

type Scored = { name: string; transcript: Transcript; durationMs: number };

const invented = [...INVENTED, ...INVENTED_2, ...INVENTED_3].map(({ name, script }) => ({ name, ...call(script) }));
const stored = storedCalls().map(({ sid, segments }): Scored => ({
  name: sid,
  transcript: transcriptOf(
    segments.map(({ speaker, startMs, endMs, text }) => ({
      role: speaker === 'agent' ? 'agent' : 'customer',
      startMs,
      endMs,
      text,
    })),
  ),
  durationMs: segments.at(-1)?.endMs ?? 0,
}));

function redacted({ transcript, ...rest }: Scored): Scored & { count: number } {
  const { segments, redactions } = redactTranscript(transcript.segments);
  const text = segments.map((segment) => segment.text).join('\n');
  return { ...rest, transcript: { ...transcript, segments, text }, count: redactions.length };
}

function scored({ transcript, durationMs }: Scored) {
  return scoreCall({ transcript, durationMs, rubric: defaultRubric, agentName: null, secondOpinion: 'tells' });
}

/**
 * An address that is read back is one word instead of many, and so the agent speaks slower. An order number that passes
 * the checksum of cards is taken for one: there is no other way to be safe.
 */
const known = [
  '03fccf2cf2254435: professionalism.clarity',
  ...['problem.details', 'compliance.sensitive'].map(
    (key) => `long order number that is no card; agent repeats it: ${key}`,
  ),
  // What was learned takes out a PIN that the agent reads back: the agent did say it aloud,
  'bank: silence announced by the customer: compliance.sensitive',
  // and an account number of four figures, since it was asked for.
  'no greeting: problem.details',
];

describe('a redacted call', () => {
  const calls = [...stored, ...invented].map((each) => ({ before: each, after: redacted(each) }));
  const changed = calls.filter(({ after }) => after.count > 0);

  it('is answered as it was before it was redacted', () => {
    expect(changed.length).toBeGreaterThan(8);
    const differences = changed.flatMap(({ before, after }) => {
      const [plain, without] = [scored(before), scored(after)];
      const [one, other] = [answersOf(plain), answersOf(without)];
      const checks = Object.keys(one).filter((key) => one[key] !== other[key]);
      const findings = plain.complianceFindings.filter(
        ({ key, answer }) => without.complianceFindings.find((each) => each.key === key)?.answer !== answer,
      );
      return [...checks, ...findings.map(({ key }) => key)].map((key) => `${before.name}: ${key}`);
    });
    expect(differences.toSorted()).toEqual(known.toSorted());
  });

  it('shows nothing in a scorecard that was taken out of its transcript', () => {
    for (const { before, after } of changed) {
      const { spans } = redactTranscript(before.transcript.segments);
      const card = JSON.stringify(scored(after));
      const texts = new Map(before.transcript.segments.map(({ id, text }) => [id, text]));
      const taken = spans.map(({ segmentId, from, to }) => (texts.get(segmentId) ?? '').slice(from, to));
      // The town of an address may be the name of the bank, which stays.
      const gone = taken.filter((text) => !after.transcript.text.includes(text));
      expect(gone.filter((text) => text.length > 12 && card.includes(text))).toEqual([]);
    }
  });
});

const complianceOf = (script: string) => {
  const { complianceFindings } = scored(redacted({ name: '', ...call(script) }));
  return complianceFindings.find(({ rationale }) => rationale.includes('aloud'));
};

describe('what the agent says aloud', () => {
  it.each([
    ['a full card number', 'So the card number is 4111 1111 1111 1111, correct?'],
    ['a security code', 'Your security code is four five six, right?'],
    ['a national id number', 'And your social security number is 219-09-9999.'],
    ['a password', 'Your new password is sunflower nine two.'],
  ])('is still found to be %s', (what, line) => {
    const finding = complianceOf(`A: Thank you for calling.\nC: Hi, I need help with my account.\nA: ${line}\nC: Yes.`);
    expect(finding).toMatchObject({ answer: 'fail' });
    expect(finding?.rationale).toContain(what);
    expect(finding?.evidence.map(({ quote }) => quote).join()).not.toMatch(/4111|four|219|sunflower/);
  });

  it('is nothing where the customer alone says it', () => {
    const script = 'A: Thank you for calling.\nC: My card number is 4111 1111 1111 1111.\nA: Thank you, that is paid.';
    expect(complianceOf(script)).toMatchObject({ answer: 'pass' });
  });
});

describe('a phrase of a profile', () => {
  it('may name a placeholder', () => {
    const { transcript, durationMs } = redacted({
      name: '',
      ...call('A: Your phone number is 212 555 0187, is that right?\nC: Yes.'),
    });
    const phrases = ['your phone number is [phone number]'];
    const check = { key: 'confirm.phone', title: 'Confirms the number', weight: 1, kind: 'phrase', phrases };
    const category = { key: 'confirm', title: 'Confirms', weight: 1, checks: [check] };
    const rubric = Rubric.parse({ categories: [category], compliance: [] });
    const { checks } = scoreCall({ transcript, durationMs, rubric, agentName: null });
    expect(checks[0]).toMatchObject({ answer: 'pass' });
  });
});
