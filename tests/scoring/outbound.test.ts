import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

function scored(script: string, language: string, secondOpinion: 'tells' | 'decides' = 'decides'): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: { ...transcript, language }, durationMs, rubric: defaultRubric, secondOpinion });
}

const CALLS = [
  {
    language: 'en',
    script: `A: Hello, am I speaking to Nicholas Brown?
C: Yes, who is this?
A: I am calling about your appointment at Marlow Dental tomorrow at ten.
C: Ah, I can't make it tomorrow, I have to work.
A: No problem, shall I look for another one?
C: After six, please.
A: Thursday the 14th at 6.40, that is booked for you.
C: Perfect, thank you.`,
    customer: 'Nicholas',
    purpose: 'I am calling about your appointment',
  },
  {
    language: 'es',
    script: `A: Hola, ¿hablo con Nicolás Bertoni?
C: Sí, ¿quién es?
A: Le llamo por el turno de mañana a las diez y media en la clínica Iglesias.
C: Mañana no llego, me cambiaron la guardia.
A: No pasa nada, le busco otro.
C: Después de las seis, si puede ser.
A: El jueves catorce a las seis y cuarenta, ya está reservado.
C: Perfecto, gracias.`,
    customer: 'Nicolás',
    purpose: 'Le llamo por el turno de mañana',
  },
];

describe('a call to a customer', () => {
  it.each(CALLS)('is told by what the agent calls for ($language)', ({ script, language, purpose }) => {
    expect(scored(script, language).summary).toContain(purpose);
  });

  it.each(CALLS)('takes the name that is asked for for no name of the agent ($language)', (each) => {
    const { checks, summary } = scored(each.script, each.language, 'tells');
    expect(summary).not.toContain(each.customer);
    expect(checks.find(({ key }) => key === 'greeting.name')?.answer).not.toBe('pass');
  });
});

describe('coaching on the closing', () => {
  it('quotes last words from the start of a sentence on', () => {
    const { improvements } = scored(
      `A: Little Acorns nursery, hello, this is Dana.
C: Hello, he has come out in spots so he won't be in today.
A: I have written him down as absent until Friday.
C: Okay, see you Monday, hopefully.
A: I have told his teacher as well. Give him a big cuddle from all of us here at Little Acorns.
C: Goodbye then.
A: Bring him back when he is well again, and do remember that. The gate at the back is the one to use on rainy days.`,
      'en',
      'tells',
    );
    const quotes = improvements.flatMap((text) => [...text.matchAll(/“([^”]*)”/gu)].map(([, words]) => words));
    expect(quotes).toContainEqual(expect.stringMatching(/^The gate at the back/u));
  });
});
