import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { CheckAnswer } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { ACCUSING, type Accusation } from './accusations/accusations.ts';
import { AROUND, BOOKS, KINDS } from './accusations/snippets.ts';
import { call } from './corpus.ts';

type Case = { language: string; kind: Accusation; text: string };

function casesOf(side: 'harmless' | 'real'): Case[] {
  return Object.entries(BOOKS).flatMap(([language, book]) =>
    KINDS.flatMap((kind) => book[side][kind].map((text) => ({ language, kind, text }))),
  );
}

function answersTo({ language, text }: Case): Record<Accusation, CheckAnswer> {
  const { transcript, durationMs } = call(
    `C: ${AROUND[language]?.[0] ?? ''}\nA: ${text}\nC: ${AROUND[language]?.[1] ?? ''}`,
  );
  const { checks, complianceFindings } = scoreCall({
    transcript: { ...transcript, language },
    durationMs,
    rubric: defaultRubric,
  });
  const all = new Map([...checks, ...complianceFindings].map(({ key, answer }) => [key, answer]));
  const answer = (kind: Accusation): CheckAnswer => all.get(ACCUSING[kind]) ?? 'not_applicable';
  return { respect: answer('respect'), pressure: answer('pressure'), sensitive: answer('sensitive') };
}

describe('what an agent is accused of', () => {
  it.each(casesOf('harmless'))('is nothing here ($language): $text', (each) => {
    expect(Object.values(answersTo(each))).not.toContain('fail');
  });

  it.each(casesOf('real'))('is found, or left to a listener ($language $kind): $text', (each) => {
    expect(answersTo(each)[each.kind]).not.toBe('pass');
  });

  it('is doubted in few sentences that are harmless', () => {
    const doubted = casesOf('harmless').filter((each) => answersTo(each)[each.kind] === 'needs_review');
    expect(doubted.length / casesOf('harmless').length).toBeLessThan(0.25);
  });
});
