import { describe, expect, it } from 'vitest';
import type { CheckAnswer, Scorecard } from '../../src/model/scorecard.ts';
import { templateKeys, type TemplateKey } from '../../src/domain/profiles/template-keys.ts';
import { copyTemplate } from '../../src/domain/profiles/templates.ts';
import type { Rubric } from '../../src/model/rubric.ts';
import { languageOf } from '../../src/scoring/languages/language.ts';
import { scoreCall } from '../support/score-call.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { call } from './corpus.ts';
import { english } from './languages/english.ts';
import { german } from './languages/german.ts';
import type { LanguageCalls } from './languages/language-calls.ts';
import { russian } from './languages/russian.ts';
import { spanish } from './languages/spanish.ts';

const CALLS: Record<string, LanguageCalls> = { en: english, de: german, es: spanish, ru: russian };
const rubrics = new Map<TemplateKey, Rubric>(templateKeys.map((key) => [key, copyTemplate(key, []).rubric]));

function score(
  template: TemplateKey,
  script: string,
  language: string | null,
  {
    rubric = rubrics.get(template),
    secondOpinion = 'tells',
  }: { rubric?: Rubric; secondOpinion?: 'tells' | 'decides' } = {},
): Scorecard {
  const { transcript, durationMs } = call(script);
  if (!rubric) throw new Error(`No template ${template}`);
  return scoreCall({ transcript: { ...transcript, language }, durationMs, rubric, secondOpinion });
}

function answersOf({ checks, complianceFindings }: Scorecard): Record<string, CheckAnswer> {
  return Object.fromEntries([...checks, ...complianceFindings].map(({ key, answer }) => [key, answer]));
}

const cases = Object.entries(CALLS).flatMap(([language, calls]) =>
  templateKeys.map((template) => ({ language, template, ...calls[template] })),
);
/** Who calls and who answers can be told by words alone; who is called speaks much like an agent. */
const inbound = cases.filter(({ template }) => template === 'service' || template === 'support');
const changes = cases.flatMap(({ language, template, good, changes }) =>
  changes.map((change) => ({ language, template, good, ...change })),
);

describe('a template, in each of its languages', () => {
  it.each(cases)('passes a good call whole: $template in $language', ({ language, template, good }) => {
    const scorecard = score(template, good, language);
    const answers = Object.values(answersOf(scorecard));
    expect(answers.filter((answer) => answer !== 'pass' && answer !== 'not_applicable')).toEqual([]);
    expect(answers.filter((answer) => answer === 'pass').length).toBeGreaterThan(11);
    expect(scorecard).toMatchObject({ qualityScore: 100, complianceStatus: 'passed' });
  });

  it.each(cases)('answers as the rules or leaves it open, but for one answer: $template in $language', (each) => {
    const { language, template } = each;
    for (const script of [each.good, each.bad]) {
      const byRules = answersOf(score(template, script, language));
      const given = answersOf(score(template, script, language, { secondOpinion: 'decides' }));
      const other = Object.keys(given).filter((key) => given[key] !== byRules[key] && given[key] !== 'needs_review');
      expect(other.length).toBeLessThanOrEqual(1);
    }
  });

  it.each(cases)('fails a bad call in these: $template in $language', ({ language, template, bad, failing }) => {
    const scorecard = score(template, bad, language);
    const failed = Object.entries(answersOf(scorecard)).filter(([, answer]) => answer === 'fail');
    expect(failed.map(([key]) => key)).toEqual(failing);
    expect(scorecard.qualityScore).toBeLessThan(20);
  });

  it.each(changes)('$template in $language answers otherwise just here: "$to"', (change) => {
    const { language, template, good, from, to, flips } = change;
    expect(good.split(from)).toHaveLength(2);
    const before = answersOf(score(template, good, language));
    expect(answersOf(score(template, good.replace(from, to), language))).toEqual({ ...before, ...flips });
  });

  it.each(cases)('hears the same without accents and capitals: $template in $language', (each) => {
    const { language, template, good } = each;
    const spoken = good
      .normalize('NFD')
      .replace(/(?<!и)[\u0300-\u036F]/gu, '')
      .normalize('NFC')
      .replace(/ß/gu, 'ss')
      .replace(/^(\s*[ACI]:)(.*)$/gmu, (_, role: string, text: string) => role + text.toLowerCase().replace(/¿/gu, ''));
    expect(score(template, spoken, language).qualityScore).toBe(100);
  });

  it.each(cases)('scores a call alike whose language nobody names: $template in $language', (each) => {
    const { language, template, good } = each;
    expect(answersOf(score(template, good, null))).toEqual(answersOf(score(template, good, language)));
  });

  it.each(cases)('made for one language alone judges it alike: $template in $language', (each) => {
    const { language, template, good } = each;
    const { rubric } = copyTemplate(template, [language]);
    expect(answersOf(score(template, good, language, { rubric }))).toEqual(answersOf(score(template, good, language)));
  });

  it.each(inbound)('tells agent and customer apart by what they say: $template in $language', (each) => {
    const { language, template, good } = each;
    const { transcript, durationMs } = call(good);
    const segments = transcript.segments.map((segment) =>
      segment.role === 'ivr' ? segment : { ...segment, role: 'unknown' as const },
    );
    const rubric = rubrics.get(template) ?? copyTemplate(template, []).rubric;
    const { categories } = scoreCall({ transcript: { ...transcript, language, segments }, durationMs, rubric });
    for (const value of Object.values(categories)) expect(value).toBeGreaterThanOrEqual(80);
  });
});

describe('the language of a call', () => {
  const read = createTokenReader();
  it.each(cases)('is told by its words: $template in $language', ({ language, good }) => {
    const text = good.replace(/^\s*[ACI]:|~\d+/gmu, '');
    expect(languageOf(null, read(text))).toBe(language);
    expect(languageOf(language === 'en' ? 'de' : 'en', read(text))).toBe(language);
  });

  it('is what the transcript says where the words do not speak against it', () => {
    expect(languageOf('de-AT', read('Ja. Okay.'))).toBe('de');
    expect(languageOf('English', read('yes'))).toBe('en');
    expect(languageOf('fr-FR', read('the and you is to of that it for my your can have this are with what'))).toBe(
      'fr',
    );
    expect(languageOf(null, read(''))).toBeNull();
    expect(languageOf('???', read('okay'))).toBeNull();
  });

  it('for which a profile has no words leaves what rests on words to people, and the measurements stand', () => {
    const { rubric } = copyTemplate('service', ['de', 'es']);
    const scorecard = score('service', english.service.good, 'en', { rubric });
    const answers = answersOf(scorecard);
    expect(answers).toMatchObject({ 'greeting.opens': 'needs_review', 'professionalism.listening': 'pass' });
    expect(scorecard.checks[0]?.rationale).toBe('The call is in English, for which the profile has no words.');
  });

  it('that the rules engine does not read is left to people, whatever its words look like', () => {
    const scorecard = score('service', german.service.good, 'fr', { rubric: copyTemplate('service', ['en']).rubric });
    const judged = scorecard.checks.filter(({ answer }) => answer === 'pass' || answer === 'fail');
    expect(judged.map(({ key }) => key)).toEqual(['professionalism.listening', 'professionalism.clarity']);
    expect(scorecard.metrics.sentiment).toEqual({ agent: null, customer: null, overall: null });
  });
});

describe('sentiment', () => {
  const of = (language: string, text: string): number | null =>
    score('service', `A: Hm.\nC: ${text}`, language).metrics.sentiment.customer;

  it.each([
    ['de', 'Das ist super, vielen Dank, das freut mich sehr.', 'Das ist eine Katastrophe und wirklich unverschämt.'],
    ['de', 'Alles gut, danke.', 'Das ist nicht gut, ich bin enttäuscht.'],
    ['es', 'Perfecto, muchas gracias, muy amable.', 'Es una vergüenza, estoy harta de este desastre.'],
    ['es', 'Está muy bien, gracias.', 'No está bien, es un problema.'],
    ['ru', 'Отлично, большое спасибо, всё хорошо.', 'Это ужасно, полное безобразие, я недовольна.'],
    ['ru', 'Хорошо, спасибо.', 'Мне не понятно. Одни ошибки.'],
  ])('is heard in %s: "%s" and "%s"', (language, happy, angry) => {
    expect(of(language, happy)).toBeGreaterThan(0.25);
    expect(of(language, angry)).toBeLessThan(-0.1);
  });
});
