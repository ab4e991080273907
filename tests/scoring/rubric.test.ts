import { describe, expect, it } from 'vitest';
import type { CheckAnswer, Scorecard } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import type { Line } from './corpus.ts';
import { answersOf, CHECK_KEYS, score, scoreByRules, transcriptOf } from './corpus.ts';
import { ANSWERS, CALLS, CHANGES } from './rubric-cases.ts';

function allAnswers(scorecard: Scorecard): Record<string, CheckAnswer> {
  const compliance = scorecard.complianceFindings.map(({ key, answer }) => [key, answer] as const);
  return { ...answersOf(scorecard), ...Object.fromEntries(compliance) };
}

describe('the standard rubric, check by check', () => {
  it.each(ANSWERS)('$check is $answer in $call by the rules', ({ check, call, answer }) => {
    expect(answersOf(scoreByRules(CALLS[call]))[check]).toBe(answer);
  });

  it.each(ANSWERS)('$check is $answer in $call, or left to a person', ({ check, call, answer }) => {
    expect([answer, 'needs_review']).toContain(answersOf(score(CALLS[call]))[check]);
  });

  it('passes every check of a good call', () => {
    const scorecard = score(CALLS.GOOD_CALL);
    expect(answersOf(scorecard)).toEqual(Object.fromEntries(CHECK_KEYS.map((key) => [key, 'pass'])));
    expect(scorecard).toMatchObject({ qualityScore: 100, complianceStatus: 'passed', improvements: [] });
  });
});

describe('one sentence exchanged', () => {
  it.each(CHANGES)(
    'by the rules $key becomes $answer, and nothing else changes: "$to"',
    ({ key, call, from, to, answer }) => {
      expect(CALLS[call].split(`${from}\n`).length + (CALLS[call].endsWith(from) ? 1 : 0)).toBe(2);
      const before = allAnswers(scoreByRules(CALLS[call]));
      const after = allAnswers(scoreByRules(CALLS[call].replace(from, to)));
      expect(before[key]).not.toBe(answer);
      expect(after).toEqual({ ...before, [key]: answer });
    },
  );

  it.each(CHANGES)('$key is then $answer or left to a person: "$to"', ({ key, call, from, to, answer }) => {
    const after = allAnswers(score(CALLS[call].replace(from, to)));
    expect([answer, 'needs_review']).toContain(after[key]);
    expect(CALLS[call]).toContain(from);
  });
});

describe('checks that rest on time', () => {
  const speak = (role: Line['role'], startMs: number, endMs: number, text: string): Line => ({
    role,
    startMs,
    endMs,
    text,
  });
  /** A long story of the customer, into which the agent speaks as often as told. */
  function interrupted(times: number, text = 'no that is not how it works at all'): Record<string, CheckAnswer> {
    const lines: Line[] = [
      speak('agent', 0, 3000, 'hello this is Northwind Energy my name is Sarah how can I help you'),
      speak(
        'customer',
        4000,
        64_000,
        'well I would like to tell you about my bill which has been wrong for months now',
      ),
      ...Array.from({ length: times }, (_, index) =>
        speak('agent', 10_000 + index * 10_000, 10_600 + index * 10_000, text),
      ),
      speak('agent', 66_000, 68_000, 'I have corrected the bill thank you and goodbye'),
    ];
    const sorted = lines.toSorted((a, b) => a.startMs - b.startMs);
    return answersOf(scoreCall({ transcript: transcriptOf(sorted), durationMs: 70_000, rubric: defaultRubric }));
  }

  it.each([
    [0, 'pass'],
    [2, 'pass'],
    [3, 'partial'],
    [4, 'partial'],
    [5, 'fail'],
  ] as const)('listening: %d interruptions are %s', (times, answer) => {
    expect(interrupted(times)['professionalism.listening']).toBe(answer);
  });

  it('listening: backchannels are no interruptions', () => {
    expect(interrupted(5, 'mm hmm okay')['professionalism.listening']).toBe('pass');
  });

  it('listening: does not apply to a mono recording of unknown voices', () => {
    const answers = answersOf(score(CALLS.GOOD_CALL.replace(/^(\s*)[AC]:/gmu, '$1?:')));
    expect(answers['professionalism.listening']).toBe('not_applicable');
  });

  it.each([
    [15_000, 'not_applicable'],
    [15_001, 'fail'],
  ] as const)('hold: an unannounced silence of %d ms is %s', (silenceMs, answer) => {
    const lines = [
      speak('agent', 0, 3000, 'hello how can I help you'),
      speak('customer', 4000, 6000, 'I want to close my account'),
      speak('agent', 6000 + silenceMs, 9000 + silenceMs, 'it has been closed'),
    ];
    const scorecard = scoreCall({ transcript: transcriptOf(lines), durationMs: 60_000, rubric: defaultRubric });
    expect(answersOf(scorecard)['professionalism.hold']).toBe(answer);
  });

  it.each([
    [20_000, 90, 'pass'],
    [20_000, 190, 'pass'],
    [20_000, 80, 'partial'],
    [20_000, 215, 'partial'],
    [20_000, 70, 'fail'],
    [20_000, 230, 'fail'],
    [19_900, 150, 'not_applicable'],
  ] as const)('clarity: %d ms of agent talk at %d words a minute are %s', (talkMs, pace, answer) => {
    const words = Array.from({ length: Math.round((talkMs / 60_000) * pace) }, () => 'word').join(' ');
    const transcript = transcriptOf([
      speak('agent', 0, talkMs, words),
      speak('customer', talkMs + 500, talkMs + 900, 'okay'),
    ]);
    expect(
      answersOf(scoreCall({ transcript, durationMs: 60_000, rubric: defaultRubric }))['professionalism.clarity'],
    ).toBe(answer);
  });
});
