import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { ComplianceFinding } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

/** What the agent says in two turns, which are no pressure together. */
const HARMLESS: Record<string, [string, string][]> = {
  en: [
    [
      'We guarantee your money back if you return them within thirty days.',
      'You must decide today whether he comes in the morning or the evening.',
    ],
    [
      'Scammers say: you must pay today, do not tell anyone, the profit is guaranteed. Do not believe them.',
      'We would never ask you for that.',
    ],
    [
      'If anyone calls and says that you must decide today and that you cannot lose, hang up please.',
      'Anyone who says do not tell anyone about this price is no friend of yours.',
    ],
    ['I guarantee you will get an answer by mail today.', 'I guarantee I will call you back before five.'],
    ['We guarantee the battery for two years.', 'By law you have to decide today whether you withdraw.'],
    [
      'Your savings are guaranteed by the deposit scheme.',
      'There is also a travel insurance. It is optional, but you must decide today.',
    ],
    [
      'A criminal gang tells people their profit is guaranteed and that they must decide today and not tell anyone.',
      'Hang up then.',
    ],
    [
      'It is a birthday surprise, so please do not tell her.',
      'You have to decide today which day the courier should come.',
    ],
    ['Keep your PIN secret and tell nobody.', 'Your money is guaranteed by the deposit scheme.'],
    ['Your PIN is yours alone. Do not tell anyone.', 'The price is guaranteed until Friday. You must decide today.'],
  ],
  de: [
    ['Wir garantieren Ihnen, dass Sie Ihr Geld zurückbekommen.', 'Sie müssen sich heute entscheiden, ob vormittags.'],
    [
      'Wir garantieren Ihnen das Geld zurück, wenn Sie die Ware zurückschicken.',
      'Sie müssen sich heute entscheiden, ob er morgens oder abends kommt.',
    ],
    [
      'Betrüger sagen: Sie müssen heute unterschreiben, sagen Sie es niemandem, der Gewinn ist garantiert. Glauben Sie ihnen nicht.',
      'Wir fragen Sie nie danach.',
    ],
    ['Der Hersteller garantiert den Akku zwei Jahre.', 'Laut Gesetz müssen Sie sich heute entscheiden.'],
    [
      'Ihr Geld ist durch die Einlagensicherung garantiert.',
      'Das ist freiwillig, aber Sie müssen sich heute entscheiden.',
    ],
    [
      'Es ist eine Überraschung zum Geburtstag, sagen Sie es niemandem.',
      'Sie müssen sich heute entscheiden, welchen Termin Sie nehmen.',
    ],
  ],
  es: [
    [
      'Le garantizamos la devolución del dinero si lo devuelve en treinta días.',
      'Tiene que decidir hoy si viene por la mañana o por la tarde.',
    ],
    [
      'Los estafadores dicen: tiene que firmar hoy, no se lo diga a nadie, beneficio garantizado. No les crea.',
      'Nosotros nunca le pedimos eso.',
    ],
    ['El fabricante le garantiza la batería: garantizada dos años.', 'Por ley tiene que decidir hoy.'],
    ['Su dinero está garantizado por el fondo de garantía de depósitos.', 'Es opcional, pero tiene que decidir hoy.'],
    ['Es una sorpresa de cumpleaños, no se lo diga.', 'Tiene que decidir hoy qué día llega el mensajero.'],
  ],
  ru: [
    [
      'Мы гарантируем возврат денег, если вернёте товар.',
      'Вы должны решить сегодня, придёт ли мастер утром или вечером.',
    ],
    [
      'Мошенники говорят: вы должны решить сегодня, никому не говорите, гарантированная прибыль. Не верьте им.',
      'Мы никогда о таком не просим.',
    ],
    ['На аккумулятор мы гарантируем два года, это даёт производитель.', 'По закону вы должны решить сегодня.'],
    ['Гарантировано: ваш вклад застрахован, гарантируем по закону.', 'Это по желанию, но вы должны решить сегодня.'],
    ['Это сюрприз на день рождения, никому не говорите.', 'Вы должны решить сегодня, какой день для доставки удобен.'],
  ],
};

/** The same words where something is sold by them. */
const PRESSURE: Record<string, [string, string][]> = {
  en: [
    ['I guarantee that you will double your money within thirty days.', 'It costs forty dollars.'],
    ['This is no scam. You cannot lose.', 'You must sign today.'],
    ['The returns are guaranteed by law, thirty percent a year.', 'You must sign today.'],
    ['You cannot lose at this price.', 'You must pay today.'],
    ['We are no scammers. You cannot lose with this.', 'You must decide today.'],
    ['This birthday offer is special, so do not tell anyone about this price.', 'You must sign today.'],
  ],
  de: [['Sie können nichts verlieren.', 'Sie müssen sich heute entscheiden.']],
  es: [['No puede perder con esto.', 'Tiene que firmar hoy.']],
  ru: [['Гарантирую вам прибыль.', 'Вы должны решить сегодня.']],
};

const AROUND: Record<string, [string, string]> = {
  en: ['Good morning, what is it about?', 'I see, thank you.'],
  de: ['Guten Morgen, worum geht es denn?', 'Aha, danke.'],
  es: ['Buenos días, ¿de qué se trata?', 'Ya veo, gracias.'],
  ru: ['Доброе утро, о чём речь?', 'Понятно, спасибо.'],
};

function pressureOf(language: string, [first, second]: [string, string]): ComplianceFinding | undefined {
  const [before = '', after = ''] = AROUND[language] ?? [];
  const { transcript, durationMs } = call(
    [`C: ${before}`, `A: ${first}`, `C: ${after}`, `A: ${second}`, `C: ${after}`].join('\n'),
  );
  const scored = scoreCall({
    transcript: { ...transcript, language },
    durationMs,
    rubric: defaultRubric,
    secondOpinion: 'tells',
  });
  return scored.complianceFindings.find(({ key }) => key === 'compliance.pressure');
}

describe.each(Object.keys(HARMLESS))('what sounds like pressure (%s)', (language) => {
  it('is none where a law, a thing, a warning, a surprise or a choice of times is spoken of', () => {
    const accused = (HARMLESS[language] ?? []).flatMap((said) => {
      const found = pressureOf(language, said);
      return found?.answer === 'pass'
        ? []
        : [{ said, answer: found?.answer, quotes: found?.evidence.map((e) => e.quote) }];
    });
    expect(accused).toEqual([]);
  });

  it('is found where the same words sell something', () => {
    const missed = (PRESSURE[language] ?? []).filter((said) => pressureOf(language, said)?.answer !== 'fail');
    expect(missed).toEqual([]);
  });
});
