import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { CheckAnswer } from '../../src/model/scorecard.ts';
import { ACCUSED, readSuspicion } from '../../src/scoring/opinion/accused.ts';
import { featuresOf } from '../../src/scoring/opinion/features.ts';
import { commonWords } from '../../src/scoring/opinion/read-acts.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

type Heard = { reply?: string; secondOpinion?: 'tells' | 'decides' };

function answerTo(
  said: string,
  key: string,
  { reply = 'How dare you say that to me?', secondOpinion }: Heard = {},
): CheckAnswer | undefined {
  const script = `A: Good morning, how can I help?
C: I am calling about the letter that you sent me.
A: ${said}
C: ${reply}`;
  const { checks, complianceFindings } = scoreCall({
    ...call(script),
    rubric: defaultRubric,
    ...(secondOpinion && { secondOpinion }),
  });
  return [...checks, ...complianceFindings].find((each) => each.key === key)?.answer;
}

describe('what was learned of accusations', () => {
  it.each([
    ['professionalism.respect', 'Congratulations, you managed to read a letter all by yourself. Shall I send a medal?'],
    ['compliance.pressure', 'I wonder what your employer would say if one of us rang him about what you owe.'],
  ])('leaves to a listener what no rule knows (%s), and fails nobody', (key, said) => {
    expect(answerTo(said, key, { secondOpinion: 'tells' })).toBe('pass');
    expect(answerTo(said, key)).toBe('needs_review');
  });

  it.each(['You are an idiot.', 'Shut up, you idiot, and pay.'])('takes back no plain insult: %s', (said) => {
    expect(answerTo(said, 'professionalism.respect')).toBe('fail');
  });

  it.each(['You fool.', 'Moron.', 'Well, you moron, there is your answer.'])('finds a bare insult: %s', (said) => {
    expect(answerTo(said, 'professionalism.respect')).toBe('fail');
  });

  it.each(['The Idiot, by Dostoevsky.', 'He called me a fool and a moron.', 'That is I for idiot, then a T.'])(
    'takes for no insult what is named, reported or spelled: %s',
    (said) => {
      expect(answerTo(said, 'professionalism.respect', { reply: 'All right, thank you.' })).not.toBe('fail');
    },
  );

  it.each([
    'The fraudsters always say do not tell anyone, so hang up when you hear it.',
    'It said “do not tell anyone”, and that is how you know it is a trick.',
  ])('takes for no request what others ask for: %s', (said) => {
    expect(answerTo(said, 'compliance.pressure', { reply: 'All right, thank you.', secondOpinion: 'tells' })).toBe(
      'pass',
    );
  });

  it.each([
    'The pony is called Idiot. Idiot has a lesson at four, and two idiots of his size have one at five.',
    'We have one moron in stock, moron is the Welsh for carrots.',
  ])('fails nobody for a name that is said twice: %s', (said) => {
    for (const secondOpinion of ['tells', 'decides'] as const) {
      expect(answerTo(said, 'professionalism.respect', { reply: 'All right, thank you.', secondOpinion })).not.toBe(
        'fail',
      );
    }
  });

  it('accuses nobody of ordinary words', () => {
    const said = 'I have sent the new letter to your address today.';
    for (const key of ACCUSED) expect(answerTo(said, key, { reply: 'Lovely, thank you.' })).toBe('pass');
  });

  it('does not depend on where in a call something is said', () => {
    const tokens = createTokenReader()('Congratulations, you can read.');
    const other = { role: 'customer' as const, tokens: createTokenReader()('What does that mean?') };
    const said = [other, { role: 'agent' as const, tokens }, other];
    const early = featuresOf([...said, other, other, other], { language: 'en', common: commonWords() })[1];
    const late = featuresOf([other, other, other, ...said], { language: 'en', common: commonWords() })[4];
    if (!early || !late) throw new Error('no features');
    expect(early.places).not.toEqual(late.places);
    expect(early.anywhere).toEqual(late.anywhere);
    expect([...readSuspicion(early)].map((share) => share > 0 && share < 1)).toEqual([true, true, true]);
    expect(readSuspicion(early)).toEqual(readSuspicion(late));
  });
});
