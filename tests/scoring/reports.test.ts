import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import { MESSAGES } from '../../src/scoring/messages/messages.ts';
import { STANDARD_TITLES } from '../../src/scoring/messages/terms.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

function report(script: string, language: string | null): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: { ...transcript, language }, durationMs, rubric: defaultRubric });
}

type Told = {
  language: 'en' | 'de' | 'es' | 'ru';
  script: string;
  /** What the customer came for, as the summary has it. */
  need: string;
  /** What they asked later on, which is not why they called. */
  question: string;
  name: string;
  promise: string;
  /** Said as something to do, and done in the call. */
  done: string;
};

const TOLD: Told[] = [
  {
    language: 'en',
    script: `A: Good morning, Harrow Fibre, this is Priya. How can I help?
C: Hello. The broadband falls over every night at about seven.
A: I will reset your line. Does the light turn red then?
C: It goes orange. It happens every night.
A: I have reset your line now, it is back at full speed.
C: Great. Do I need a new router?
A: No, you do not. An engineer will call you tomorrow to check that it stays up.
C: Perfect, thank you.
A: Anything else I can do for you?
C: No, that's all.
A: Thank you for calling, goodbye.`,
    need: 'The broadband falls over every night',
    question: 'new router',
    name: 'Priya',
    promise: 'An engineer will call you tomorrow',
    done: 'I will reset your line',
  },
  {
    language: 'de',
    script: `A: Guten Morgen, Stadtwerke Ahlsee, mein Name ist Henning. Wie kann ich Ihnen helfen?
C: Guten Tag. Ich möchte meinen Vertrag zum Ersten kündigen, ich ziehe um.
A: Gern. Wie lautet Ihre Kundennummer?
C: Vier null sieben sieben eins.
A: Vier null sieben sieben eins. Ich habe den Vertrag zum Ersten gekündigt, das ist erledigt.
C: Muss ich den Zähler noch ablesen?
A: Nein, das müssen Sie nicht. Sie bekommen morgen die Bestätigung per Post.
C: Prima, vielen Dank.
A: Kann ich sonst noch etwas für Sie tun?
C: Nein, das war alles.
A: Vielen Dank für Ihren Anruf, auf Wiederhören.`,
    need: 'Ich möchte meinen Vertrag zum Ersten kündigen',
    question: 'Zähler',
    name: 'Henning',
    promise: 'Sie bekommen morgen die Bestätigung per Post',
    done: 'gekündigt',
  },
  {
    language: 'es',
    script: `A: Buenos días, Aguas de la Cañada, le atiende Karla. ¿En qué puedo ayudarle?
C: Buenos días. Quiero cambiar la cita del técnico, el jueves no puedo.
A: Claro. ¿Qué día le viene bien?
C: El viernes por la mañana.
A: Listo, ya he cambiado la cita al viernes por la mañana.
C: ¿Tengo que pagar algo?
A: No, nada. Le enviaremos mañana un mensaje con la hora.
C: Perfecto, muchas gracias.
A: ¿Puedo ayudarle en algo más?
C: No, eso es todo.
A: Gracias por llamar, que tenga un buen día.`,
    need: 'Quiero cambiar la cita del técnico',
    question: 'pagar algo',
    name: 'Karla',
    promise: 'Le enviaremos mañana un mensaje con la hora',
    done: 'ya he cambiado',
  },
  {
    language: 'ru',
    script: `A: Добрый день, компания «Сеть-Север», меня зовут Кирилл. Чем могу помочь?
C: Здравствуйте. У меня третий день не работает интернет.
A: Назовите, пожалуйста, номер договора.
C: Четыре один один семь.
A: Четыре один один семь. Я перезагрузил ваше оборудование, интернет уже работает.
C: Да, заработал. А мне нужно менять роутер?
A: Нет, не нужно. Завтра мы перезвоним вам и проверим связь.
C: Отлично, спасибо.
A: Могу ли я ещё чем-нибудь помочь?
C: Нет, это всё.
A: Спасибо за звонок, всего доброго.`,
    need: 'У меня третий день не работает интернет',
    question: 'менять роутер',
    name: 'Кирилл',
    promise: 'Завтра мы перезвоним вам и проверим связь',
    done: 'перезагрузил',
  },
];

/** Words of an English report that no other one has. */
const ENGLISH = /\b(?:the|and|with|customer|missing|listen)\b/iu;

describe('a report', () => {
  it.each(TOLD)('says what was wanted, who helped and what is promised: $language', (told) => {
    const { summary, actionItems } = report(told.script, told.language);
    expect(summary).toContain(told.need);
    expect(summary).not.toContain(told.question);
    expect(summary).toContain(`${told.name} `);
    expect(actionItems.filter((item) => item.includes(told.promise))).toHaveLength(1);
    expect(actionItems.join(' ')).not.toContain(told.done);
  });

  it.each(TOLD)('is in the language of the call, whatever it is said to be: $language', ({ language, script }) => {
    for (const said of [language, null, language === 'en' ? 'de' : 'en']) {
      const { summary, improvements, actionItems, checks, complianceFindings } = report(script, said);
      const written = [summary, ...improvements, ...actionItems, ...[...checks, ...complianceFindings].map(whyOf)];
      for (const text of written) {
        expect(text).not.toMatch(/\s{2}|\.\./u);
        // In a quote "null" is a German figure.
        expect(text.replaceAll(/[“„«][^“”»]*[“”»]/gu, '')).not.toMatch(/undefined|null|NaN/u);
        expect(language === 'en' ? '' : text).not.toMatch(ENGLISH);
      }
    }
  });

  it.each(TOLD)('coaches in it, and leaves listening to a person in it: $language', ({ language }) => {
    const words = { en: 'Well then.', de: 'Ja und nun.', es: 'Pues nada.', ru: 'Ну и что.' }[language];
    const own = TOLD.find((each) => each.language === language)?.script.split('\n') ?? [];
    const script = [`A: ${words}`, ...own.slice(1, 2), `A: ${words}`, ...own.slice(5, 6), `A: ${words}`].join('\n');
    const { improvements, checks } = report(script, language);
    expect(improvements.length).toBeGreaterThan(0);
    for (const text of [...improvements, ...checks.map(whyOf)]) {
      expect(language === 'en' ? '' : text).not.toMatch(ENGLISH);
    }
  });

  it('of an agent who was rude, and of a customer who objects, has no good mood', () => {
    const { metrics, checks } = report(
      `A: Good morning, great to hear you, wonderful, how can I help?
C: Hello, I want my refund please, thank you.
A: Perfect, lovely. You are an idiot. Great, thanks, excellent.
C: That is not acceptable. Thank you very much, great.
A: Great, have a wonderful day, thank you.`,
      'en',
    );
    expect(checks.find(({ key }) => key === 'professionalism.respect')?.answer).toBe('fail');
    expect(metrics.sentiment.agent).toBeLessThan(0);
    expect(metrics.sentiment.overall).toBeLessThanOrEqual(0);
  });

  it.each([
    ['en', 'Hello there. Has my prescription come over from the doctor?', 'The customer asked: “Has my prescription'],
    ['de', 'Hallo Mona. Eine Freundin sagt, ihr habt Yoga für den Rücken.', 'Kunden: „Eine Freundin sagt'],
    ['ru', 'Добрый. Мне в квитанцию капнула пеня за отопление.', 'словами: «Мне в квитанцию'],
  ])('quotes the request without the greeting before it: %s', (language, said, quoted) => {
    const okay = { en: 'Okay, one moment.', de: 'Gut, einen Moment.', ru: 'Хорошо, минуту.' }[language];
    expect(report(`A: ${okay}\nC: ${said}\nA: ${okay}\nC: ${said}`, language).summary).toContain(quoted);
  });

  it('puts no question and no half sentence into a sentence of its own', () => {
    const { summary, improvements } = report(
      `A: Billing.
C: I want to, well, can you tell me why my bill is so high?
A: It is what it is.
C: But why?
A: Bye.`,
      'en',
    );
    expect([summary, ...improvements].join(' ')).not.toMatch(/“So |is that right\?”|wanted to,|wanted to well/u);
    expect(summary).toContain('can you tell me why my bill is so high?');
  });
});

function whyOf({ rationale }: { rationale: string }): string {
  return rationale;
}

describe('a call in which no agent speaks', () => {
  const told = (script: string, language = 'en'): string => report(script, language).summary;

  it('is told by what is heard from the customer, not by the announcement before it', () => {
    expect(told('I: Please hold the line.\nC: Hello, is anybody there?')).toContain(
      "Heard from the customer's side: “Hello, is anybody there?”",
    );
    expect(told('C: Please hold the line.')).toMatch(/from the customer's side: “Please hold the line”\.$/u);
    expect(told('?: Hello?\nI: Please hold the line.')).toMatch(/not be told which voice .*begins: “Hello\?”/u);
  });

  it.each([
    ['en', 'Please hold the line.', 'Um, uh.', 'Only a recorded announcement is heard: “Please hold the line”'],
    ['de', 'Bitte bleiben Sie am Apparat.', 'Äh, hm.', 'nur eine Ansage: „Bitte bleiben Sie am Apparat“'],
    ['es', 'Permanezca a la espera.', 'Eh, mhm.', 'Solo se oye un mensaje grabado: «Permanezca a la espera»'],
    ['ru', 'Оставайтесь на линии.', 'Э, эм.', 'Слышно только записанное сообщение: «Оставайтесь на линии»'],
  ])('is an announcement where people only hum (%s)', (language, announcement, hums, summary) => {
    expect(told(`I: ${announcement}\nC: ${hums}`, language)).toContain(summary);
  });
});

describe('a call of drawn-out hums alone', () => {
  it.each([
    ['en', 'Ummm, ahhh.', 'Nothing is said in this recording'],
    ['de', 'Ähhm, mmh.', 'In dieser Aufnahme wird nichts gesagt'],
    ['es', 'Ehhh, mmmmm.', 'En esta grabación no se dice nada'],
    ['ru', 'Ээээ, м-м.', 'В этой записи никто ничего не говорит'],
  ])('says nothing that could be told (%s)', (language, hums, summary) => {
    expect(report(`C: ${hums}`, language).summary).toContain(summary);
  });
});

describe('the tables of messages', () => {
  it('word every entry of their own, title by title', () => {
    const { en, ...others } = MESSAGES;
    for (const [language, table] of Object.entries(others)) {
      expect(table.language).toBe(language);
      expect(Object.keys(table.summary.titles).toSorted()).toEqual([...STANDARD_TITLES].toSorted());
      expect(
        entriesOf(table).filter(([path, text]) => entriesOf(en).some(([p, t]) => p === path && t === text)),
      ).toEqual([]);
    }
  });

  it('know the titles of the standard profile', () => {
    const titles = [
      ...defaultRubric.categories.flatMap(({ checks }) => checks.map(({ title }) => title)),
      ...defaultRubric.compliance.map(({ title }) => title),
    ];
    expect(titles.toSorted()).toEqual([...STANDARD_TITLES].toSorted());
  });
});

/** The plain texts of a table, by where they stand. */
function entriesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => entriesOf(each, `${path}.${key}`));
}

describe('names that agents give', () => {
  it.each([
    ['en', "Bexley care, it's Olly calling about your renewal.", 'Olly'],
    ['en', "Good afternoon, Delay Repay, you've got Siobhan.", 'Siobhan'],
    ['en', 'IT service desk, Kavya this side.', 'Kavya'],
    ['de', 'Stadtwerke, guten Tag, Petra am Apparat.', 'Petra'],
    ['de', 'Guten Morgen, hier ist die Steffi von der Praxis Bahr.', 'Steffi'],
    ['de', 'Willkommen bei Nordwind, ich bin die Frau Scholz.', 'Scholz'],
    ['de', 'Garage Tobler, Mike. Was gibt es?', 'Mike'],
    ['es', 'Lumbre Fibra, buenas tardes, le atiende Noelia.', 'Noelia'],
    ['es', 'Mesa de ayuda, Wilson al habla. ¿Qué pasó?', 'Wilson'],
    ['es', 'Centro médico Santa Inés, buenos días.', null],
    ['ru', 'Сеть-Север, Кирилл на линии. Что случилось?', 'Кирилл'],
    ['ru', 'Здравствуйте! Вас беспокоит Денис, компания «Щит».', 'Денис'],
    ['ru', 'Добрый день, Галина Степановна! Это по поводу заявки.', null],
  ])('in %s: %s', (language, opening, name) => {
    const { checks } = report(`A: ${opening}\nC: ${NEEDS[language] ?? ''}\nA: ${OKAY[language] ?? ''}`, language);
    const found = checks.find(({ key }) => key === 'greeting.name');
    const isGiven = found?.answer === 'pass' && found.evidence.some(({ quote }) => quote.includes(name ?? ''));
    expect(isGiven).toBe(name !== null);
  });
});

const NEEDS: Record<string, string> = {
  en: 'Hello, I would like to change the address of my account please, I am moving on Monday.',
  de: 'Guten Tag, ich möchte bitte meine Adresse ändern, ich ziehe am Montag um.',
  es: 'Buenos días, quiero cambiar la dirección de mi cuenta, me mudo el lunes.',
  ru: 'Здравствуйте, я хочу изменить адрес в договоре, я переезжаю в понедельник.',
};
const OKAY: Record<string, string> = { en: 'Okay.', de: 'In Ordnung.', es: 'De acuerdo.', ru: 'Хорошо.' };
