import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { ComplianceFinding } from '../../src/model/scorecard.ts';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

const REPLY: Record<string, string> = {
  en: 'I see, thank you very much.',
  de: 'Ja, vielen Dank, das verstehe ich.',
  es: 'Ya veo, muchas gracias por todo.',
  ru: 'Понятно, большое вам спасибо.',
};

function sensitiveIn(script: string, language: string, isRedacted = false): ComplianceFinding | undefined {
  const { transcript, durationMs } = call(script);
  const segments = isRedacted ? redactTranscript(transcript.segments).segments : transcript.segments;
  const text = segments.map((segment) => segment.text).join('\n');
  const scored = scoreCall({
    transcript: { ...transcript, segments, text, language },
    durationMs,
    rubric: defaultRubric,
  });
  return scored.complianceFindings.find(({ key }) => key === 'compliance.sensitive');
}

const saidBy = (line: string, language: string): string =>
  [`C: ${REPLY[language]}`, `A: ${line}`, `C: ${REPLY[language]}`].join('\n');

describe('a number or password that is nobody’s secret', () => {
  it.each([
    [
      'en',
      'You need the security code, the three digits on the back, something like 123. Type it on the page, never tell me.',
    ],
    ['en', 'The security code is the last three digits, for example 123 in the picture.'],
    ['en', 'The guest wifi is Seaview and its password is welcome2026 for everybody, it is on the wall.'],
    ['en', 'Use the public test card 4242 4242 4242 4242.'],
    ['de', 'Die Prüfziffer sind drei Ziffern hinten, zum Beispiel 123, wie auf dem Bild.'],
    ['de', 'Nehmen Sie die Testkarte, die Kartennummer ist 4242 4242 4242 4242.'],
    ['de', 'Das Kennwort ist Seeblick44 für alle, es hängt an der Wand.'],
    ['es', 'El código de seguridad son tres cifras de atrás, por ejemplo 123.'],
    ['es', 'Use la tarjeta de prueba 4242 4242 4242 4242.'],
    ['es', 'La contraseña es Girasol44 para todos, está en la pared.'],
    ['ru', 'Код безопасности это три цифры на обороте, например 123.'],
    ['ru', 'Возьмите, это тестовая карта 4242 4242 4242 4242.'],
    ['ru', 'Пароль Ромашка44 для всех, он на стене.'],
    ['en', 'I never ask for the security code, your reference is 4821.'],
    ['en', 'The security code is wrong, it says error 1045 on my screen.'],
    ['en', 'The security code has expired on 12 04 2027, the bank will send a new card.'],
    ['en', 'The code on the back of the box is 88123, that is the article number.'],
    ['en', 'Your password is managed in Office365, go there to reset it.'],
    ['en', 'The password to your iPhone15 is only known to you.'],
    ['de', 'Das Passwort ist in Office365 hinterlegt, dort setzen Sie es selbst zurück.'],
    ['de', 'Das Passwort ist mit SHA256 verschlüsselt, ich sehe es nicht.'],
    ['es', 'La contraseña está guardada en su iPhone15.'],
    ['ru', 'Пароль хранится в Office365, там его и смените.'],
    ['ru', 'Пароль тот же, что в Авито24.'],
    ['es', 'Su contraseña es la misma que en el portal.'],
    ['es', 'Su contraseña es correcta.'],
    ['es', 'Su contraseña es demasiado corta.'],
    ['es', 'La clave del producto es 88123.'],
    ['de', 'Die PIN Belegung des Steckers ist 1 4 7.'],
  ])('fails nobody (%s): %s', (language, line) => {
    expect(sensitiveIn(saidBy(line, language), language)?.answer).not.toBe('fail');
  });

  it.each([
    ['en', 'Your card number is 4242 4242 4242 4242.'],
    ['en', 'So the security code on the back is 123, right?'],
    ['en', 'Your home wifi password is Seaview44.'],
    ['en', 'Your password for the portal is Seaview44.'],
    ['de', 'Die CVC auf der Rückseite Ihrer Karte ist 123, richtig?'],
    ['es', 'Su contraseña para el portal es Girasol44.'],
    ['ru', 'Пароль на портал Ромашка44.'],
    ['es', 'Su contraseña es Girasol, ¿verdad?'],
    ['de', 'Ihr Kennwort ist Seeblick44.'],
    ['es', 'Su contraseña es Girasol44, ¿correcto?'],
    ['ru', 'Ваш пароль Ромашка44, правильно?'],
  ])('is a breach without such words (%s): %s', (language, line) => {
    expect(sensitiveIn(saidBy(line, language), language)?.answer).toBe('fail');
  });
});

describe('a name that secrets share with other things', () => {
  it('needs to be heard as a secret as well', () => {
    const line = 'The answer to nine across is PASSWORD, eight letters.';
    expect(sensitiveIn(saidBy(line, 'en'), 'en')?.answer).not.toBe('fail');
  });
});

describe('figures that redaction took for a secret', () => {
  const secrets = ['[card number]', '[PIN]', '[security code]', '[password]', '[national id]'];

  it.each(secrets)('are none where nobody named or asked for one: %s', (placeholder) => {
    expect(sensitiveIn(saidBy(`Now ${placeholder} and that is it.`, 'en'), 'en')?.answer).toBe('needs_review');
  });

  it.each([
    ['[card number]', 'Your card number is [card number], correct?'],
    ['[PIN]', 'I have set your PIN to [PIN] now.'],
    ['[security code]', 'The three digits on the back are [security code], right?'],
    ['[password]', 'Your password is [password].'],
    ['[national id]', 'Your social security number is [national id].'],
  ])('are a breach where they are named: %s', (_, line) => {
    expect(sensitiveIn(saidBy(line, 'en'), 'en')?.answer).toBe('fail');
  });

  it('are a breach where they were asked for and are said back', () => {
    const script = 'A: What is your PIN?\nC: It is [PIN].\nA: So that is [PIN], thank you.';
    expect(sensitiveIn(script, 'en')?.answer).toBe('fail');
  });

  it('fail nobody who counts', () => {
    const script = 'C: Can you hear me?\nA: one two three four\nC: 5 6 7 8\nA: 12 34 56\nC: Yes, I can hear you now.';
    expect(sensitiveIn(script, 'en', true)?.answer).not.toBe('fail');
  });
});
