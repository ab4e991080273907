import { describe, expect, it } from 'vitest';
import { serviceDeskCalls } from '../../src/demo/calls/service-desk.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { CheckAnswer, ComplianceFinding, Scorecard } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

type Said = { promise: string; secret: string; deadline: string; plain: string; resistance: string; free: string };

const SAID: Record<string, Said> = {
  en: {
    promise: 'With us there is no risk at all.',
    secret: 'Please do not tell anyone about this price.',
    deadline: 'But you must decide today.',
    plain: 'It costs thirty dollars a month.',
    resistance: 'Why should I not tell anyone?',
    free: 'You do not have to decide today.',
  },
  de: {
    promise: 'Das verspreche ich Ihnen.',
    secret: 'Das bleibt unter uns.',
    deadline: 'Sie müssen sich heute entscheiden.',
    plain: 'Das kostet dreißig Euro im Monat.',
    resistance: 'Warum darf ich das niemandem sagen?',
    free: 'Sie müssen sich heute nicht entscheiden.',
  },
  es: {
    promise: 'Con nosotros no hay ningún riesgo.',
    secret: 'Esto queda entre nosotros.',
    deadline: 'Tiene que decidirse hoy.',
    plain: 'Cuesta treinta euros al mes y se paga con la tarjeta.',
    resistance: 'No me presione.',
    free: 'No tiene que decidirse hoy.',
  },
  ru: {
    promise: 'Потерять тут невозможно.',
    secret: 'Это останется между нами.',
    deadline: 'Вы должны решить сегодня.',
    plain: 'Это стоит триста рублей в месяц.',
    resistance: 'Не давите на меня.',
    free: 'Вы не должны решить сегодня.',
  },
};
const AROUND: Record<string, [string, string, string]> = {
  en: ['Good morning, what is it about?', 'I see.', 'All right.'],
  de: ['Guten Morgen, worum geht es denn?', 'Aha.', 'Gut.'],
  es: ['Buenos días, ¿de qué se trata?', 'Ya veo.', 'Bueno.'],
  ru: ['Доброе утро, о чём речь?', 'Понятно.', 'Хорошо.'],
};

function pressureIn({ complianceFindings }: Scorecard): ComplianceFinding | undefined {
  return complianceFindings.find(({ key }) => key === 'compliance.pressure');
}

/** What these sentences of an agent are answered, each with plain talk before and after. */
function answerTo(language: string, said: readonly string[], reply?: string): CheckAnswer | undefined {
  const [first = '', ...others] = AROUND[language] ?? [];
  const plain = SAID[language]?.plain ?? '';
  const lines = said.flatMap((text, at) => [
    `A: ${text}`,
    `C: ${reply ?? others[at % 2] ?? ''}`,
    `A: ${plain}`,
    `C: ${others[1] ?? ''}`,
    `A: ${plain}`,
    `C: ${others[0] ?? ''}`,
  ]);
  const { transcript, durationMs } = call([`C: ${first}`, ...lines].join('\n'));
  return pressureIn(
    scoreCall({ transcript: { ...transcript, language }, durationMs, rubric: defaultRubric, secondOpinion: 'tells' }),
  )?.answer;
}

describe.each(Object.entries(SAID))('pressure on a customer (%s)', (language, said) => {
  const signs = [said.promise, said.secret, said.deadline];

  it('is not shown by one sign alone, and not at all by a deadline', () => {
    expect(signs.map((sign) => answerTo(language, [sign]))).toEqual(['needs_review', 'needs_review', 'pass']);
  });

  it('is shown by two kinds of it, wherever in the call they stand', () => {
    const pairs = signs.flatMap((one, at) => signs.slice(at + 1).map((other) => [one, other]));
    expect(pairs.map((pair) => answerTo(language, pair))).toEqual(['fail', 'fail', 'fail']);
  });

  it('is shown by one sign that the customer resists', () => {
    expect(signs.map((sign) => answerTo(language, [sign], said.resistance))).toEqual(['fail', 'fail', 'fail']);
  });

  it('is not shown where time is left, nor by a customer who asks about something else', () => {
    expect(answerTo(language, [said.free], said.resistance)).toBe('pass');
    expect(answerTo(language, [said.plain], said.resistance)).toBe('pass');
    expect(answerTo(language, [said.promise, said.free])).toBe('needs_review');
  });
});

describe('the insurance offer of the demo', () => {
  const offer = serviceDeskCalls.find(({ externalId }) => externalId === 'demo-insurance-pressure');
  const script = (heard: (text: string) => string): string =>
    (offer?.lines ?? []).map(({ by, text }) => `${by === 'agent' ? 'A' : 'C'}: ${heard(text)}`).join('\n');

  it.each([
    ['as it is written', (text: string) => text],
    ['without the promise', (text: string) => text.replace('I guarantee that', 'I hope that')],
    ['as a recogniser hears it', (text: string) => text.toLowerCase().replaceAll(/[.,?]/gu, '')],
  ])('is found to press the customer, %s', (_, heard) => {
    const found = pressureIn(scoreCall({ ...call(script(heard)), rubric: defaultRubric }));
    expect(found?.answer).toBe('fail');
    expect(found?.rationale).toContain('asks to keep the call secret');
  });

  it('is a possible breach in the summary as long as its compliance is for a person to judge', () => {
    const { summary, complianceStatus } = scoreCall({ ...call(script((text) => text)), rubric: defaultRubric });
    expect(complianceStatus).toBe('needs_review');
    expect(summary).toMatch(
      /A possible breach of compliance, for a person to judge: the agent [^.]*guarantees an outcome/u,
    );
    const compliance = defaultRubric.compliance.map((rule) => ({ ...rule, severity: 'high' as const }));
    const failed = scoreCall({ ...call(script((text) => text)), rubric: { ...defaultRubric, compliance } });
    expect(failed.complianceStatus).toBe('failed');
    expect(failed.summary).toMatch(/Compliance: the agent [^.]*guarantees an outcome/u);
  });
});
