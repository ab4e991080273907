import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import { readConversation } from '../../src/scoring/conversation/conversation.ts';
import { judgeCall } from '../support/score-call.ts';
import { readLanguages, type SpokenLanguages } from '../../src/scoring/languages/spoken-languages.ts';
import { tellLanguages } from '../../src/scoring/languages/told-language.ts';
import { call } from './corpus.ts';
import { english } from './languages/english.ts';
import { german } from './languages/german.ts';
import { russian } from './languages/russian.ts';
import { spanish } from './languages/spanish.ts';
import { TURNS } from './languages/turns.ts';
import { UNREAD_CALLS } from './languages/unread.ts';

const READ = { en: english, de: german, es: spanish, ru: russian };
const names = {
  fr: 'French',
  it: 'Italian',
  pt: 'Portuguese',
  nl: 'Dutch',
  pl: 'Polish',
  uk: 'Ukrainian',
  tr: 'Turkish',
};
const ofWords = (scorecard: Scorecard): Scorecard['checks'] =>
  scorecard.checks.filter(({ key }) => !/listening|clarity|hold/u.test(key));

function judge(script: string, language: string | null, rubric = defaultRubric) {
  const { transcript, durationMs } = call(script);
  return judgeCall({ transcript: { ...transcript, language }, durationMs, rubric });
}

function languagesOf(script: string, language: string | null): SpokenLanguages {
  const { transcript, durationMs } = call(script);
  return readLanguages(language, readConversation(transcript, durationMs));
}

/** As a recogniser writes it. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}\s'’]/gu, ' ');

describe('what one party speaks', () => {
  const read = createTokenReader();
  const told = (turns: readonly string[]): string | null => {
    const { languages } = tellLanguages(turns.map((text) => ({ tokens: read(text), text })));
    return [...languages].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  };

  it.each([
    [4, 0],
    [2, 12],
  ])('is told from %d turns in a row, and of %d of these beginnings nothing is said', (size, open) => {
    const answers = Object.entries(TURNS).flatMap(([language, turns]) =>
      turns.flatMap((_, at) =>
        at % size > 0
          ? []
          : [turns.slice(at, at + size), turns.slice(at, at + size).map(plain)].map((some) => ({
              language,
              told: told(some),
            })),
      ),
    );
    expect(answers.filter(({ language, told }) => told !== null && told !== language)).toEqual([]);
    expect(answers.filter(({ told }) => told === null).length).toBeLessThanOrEqual(open);
  });

  it('is never a wrong guess from a single turn', () => {
    for (const [language, turns] of Object.entries(TURNS)) {
      for (const text of turns.flatMap((turn) => [turn, plain(turn)])) {
        const found = told([text]);
        expect({ text, found: found ?? language }).toEqual({ text, found: language });
      }
    }
  });
});

describe('a call in a language that is not read', () => {
  const cases = Object.entries(UNREAD_CALLS).map(([tag, script]) => ({ tag: tag as keyof typeof names, script }));

  it.each(cases.flatMap((each) => [null, each.tag, 'en'].map((said) => ({ ...each, said }))))(
    'is left to people, accusations and praise alike: $tag, said to be $said',
    ({ tag, script, said }) => {
      const { scorecard, language } = judge(script, said);
      expect(language).toBe(tag);
      expect(scorecard).toMatchObject({ qualityScore: null, complianceStatus: 'needs_review', improvements: [] });
      const answers = [...ofWords(scorecard), ...scorecard.complianceFindings].map(({ answer }) => answer);
      expect(new Set(answers)).toEqual(new Set(['needs_review']));
      const doubt =
        said === 'en'
          ? `The call is said to be in English, but its words look ${names[tag]}`
          : `The call is in ${names[tag]}`;
      expect(scorecard.checks[4]?.rationale).toBe(`${doubt}, which only a person or a language model can judge.`);
      expect(scorecard.summary.startsWith(`${doubt}: what is said is left to a person, or to a language model. `)).toBe(
        true,
      );
      expect(scorecard.topics).toEqual([]);
      expect(scorecard.actionItems.join(' ')).not.toMatch(/Promised|still open/u);
    },
  );

  it.each(cases)('on one track, where nobody can be told, is not passed either: $tag', ({ script }) => {
    const { scorecard } = judge(script.replace(/^[AC]:/gmu, '?:'), null);
    expect(scorecard).toMatchObject({ qualityScore: null, complianceStatus: 'needs_review', improvements: [] });
  });

  it('may hold a breach, which is shown and not settled', () => {
    const script = `${UNREAD_CALLS.fr}\nA: Votre numéro de carte est le 4111 1111 1111 1111, c'est bien ça ?\nC: Oui.`;
    const [sensitive] = judge(script, 'fr').scorecard.complianceFindings;
    expect(sensitive?.answer).toBe('needs_review');
    expect(sensitive?.evidence).not.toEqual([]);
  });

  it('is judged by a profile that has words for it', () => {
    const phrase = { role: 'agent', where: { part: 'whole' }, expect: 'present', elsewhere: 'fail' } as const;
    const base = { weight: 1, critical: false, exemptions: [] };
    const rubric = {
      languages: ['fr'],
      categories: [
        {
          key: 'own',
          title: 'Own',
          weight: 1,
          critical: false,
          checks: [
            {
              ...base,
              ...phrase,
              key: 'own.bye',
              title: 'Dit au revoir',
              kind: 'phrase' as const,
              phrases: ['au revoir'],
            },
          ],
        },
      ],
      compliance: [],
    };
    expect(judge(UNREAD_CALLS.fr, null, rubric).scorecard).toMatchObject({ qualityScore: 100, judgedShare: 1 });
  });
});

describe('a call in several languages', () => {
  const half = (script: string, role: 'A' | 'C'): string[] =>
    script
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith(`${role}:`));
  const between = (agent: string[], customer: string[]): string =>
    agent.flatMap((line, at) => [line, customer[at] ?? '']).join('\n');

  it('says who speaks what is not read, and leaves its words to people', () => {
    const script = between(half(english.service.good, 'A'), half(UNREAD_CALLS.fr, 'C'));
    const { scorecard } = judge(script, null);
    expect(languagesOf(script, 'en').doubt).toBe('The customer speaks French');
    expect(scorecard).toMatchObject({ qualityScore: null, complianceStatus: 'needs_review' });
    expect(scorecard.summary).toMatch(/^The customer speaks French: /);
  });

  it('is told where one is not read in a part alone', () => {
    const script = `${english.service.good}\n${UNREAD_CALLS.pl}`;
    expect(languagesOf(script, null).doubt).toBe('Part of the call is in Polish');
    expect(judge(script, 'en').scorecard.complianceStatus).toBe('needs_review');
  });

  it('is told where all are read, and searched for the words of all', () => {
    const script = between(half(spanish.service.good, 'A'), half(german.service.good, 'C'));
    const { scorecard } = judge(script, null);
    expect(languagesOf(script, null)).toMatchObject({ language: null, doubt: null, spoken: ['es', 'de'] });
    expect(scorecard.summary).toMatch(/^En esta llamada se habla en español y alemán\. /);
    expect(scorecard.judgedShare).toBe(1);
    expect(judge(script, null, { ...defaultRubric, languages: ['es'] }).scorecard.checks[0]?.answer).toBe(
      'needs_review',
    );
  });
});

const SAID_TO_BE_FRENCH: Record<string, RegExp> = {
  en: /^The call is said to be in French, but its words look English$/,
  de: /^Als Sprache des Gesprächs ist Französisch angegeben, die Wörter sehen aber nach Deutsch aus$/,
  es: /^Se indica que la llamada es en francés, pero sus palabras parecen ser en español$/,
  ru: /^Указанный язык разговора — французский, но слова похожи на другой: русский$/,
};

describe('a call in a language that is read', () => {
  it.each(Object.entries(READ))(
    'is read in it, whatever it is said to be: %s',
    (language, { service, sales, support }) => {
      for (const { good } of [service, sales, support]) {
        for (const said of [null, language, language === 'en' ? 'de' : 'en']) {
          const told = { language, spoken: [language], doubt: null, mixture: null, reportIn: language };
          expect(languagesOf(good, said)).toEqual(told);
        }
        expect(languagesOf(good, 'fr').doubt).toMatch(SAID_TO_BE_FRENCH[language] ?? 'one of them');
      }
    },
  );

  it('is not doubted for names, numbers and short answers', () => {
    for (const script of [
      'A: Hello?\nC: Hi.',
      'A: 4711, okay.\nC: Yes, Bolton, B O L T O N.',
      'A: Hm.\nC: Adyen, Klarna, Zalando.',
    ]) {
      expect(languagesOf(script, null).doubt).toBeNull();
    }
  });
});
