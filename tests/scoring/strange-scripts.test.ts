import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

function judged(script: string, language: string | null): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: { ...transcript, language }, durationMs, rubric: defaultRubric });
}

const CALLS: Record<string, string> = {
  Chinese:
    'A: 您好，请问有什么可以帮您？\nC: 我的订单还没有到。\nA: 请告诉我订单号。\nC: 一二三四。\nA: 明天会到。\nC: 谢谢。',
  Japanese:
    'A: お電話ありがとうございます。どうされましたか。\nC: 荷物がまだ届きません。\nA: 明日お届けします。\nC: わかりました。',
  Korean: 'A: 안녕하세요 무엇을 도와드릴까요\nC: 주문한 상품이 아직 안 왔어요\nA: 내일 도착합니다\nC: 감사합니다',
  Thai: 'A: สวัสดีค่ะ มีอะไรให้ช่วยไหมคะ\nC: สินค้ายังไม่มาถึงครับ\nA: พรุ่งนี้จะถึงค่ะ\nC: ขอบคุณครับ',
  Arabic: 'A: صباح الخير كيف أساعدك\nC: لم يصل طلبي بعد',
  Hebrew: 'A: בוקר טוב איך אפשר לעזור\nC: ההזמנה שלי לא הגיעה',
  Hindi: 'A: नमस्ते मैं आपकी क्या मदद करूँ\nC: मेरा ऑर्डर नहीं आया',
  Greek: 'A: Καλημέρα σας πώς μπορώ να βοηθήσω\nC: Δεν ήρθε η παραγγελία μου',
  'Rude Chinese': 'A: 你真是个大笨蛋啊\nC: 什么？',
  Russian: 'A: Вы тупая корова\nC: Простите?',
  Turkish: 'A: sen aptalsın\nC: efendim?',
  'longer Polish':
    'A: Dzień dobry, co to jest za sprawa?\nC: Moja paczka nie przyszła do domu na czas.\nA: Proszę podać numer zamówienia.\nC: Jeden dwa trzy cztery.\nA: Paczka przyjdzie jutro rano.\nC: Dobrze, czekam więc.',
  Polish: 'A: Jest pani głupia\nC: Słucham pana?',
};

describe('a call of a few words in another language than was named', () => {
  it.each(Object.entries(CALLS))('is left to a person (%s)', (_, script) => {
    for (const language of ['en', 'de', 'es']) {
      const { qualityScore, complianceStatus } = judged(script, language);
      expect({ language, qualityScore, complianceStatus }).toEqual({
        language,
        qualityScore: null,
        complianceStatus: 'needs_review',
      });
    }
  });

  it('says which language its letters are of', () => {
    expect(judged(CALLS['Thai'] ?? '', 'en').summary).toContain('said to be in English, but its words look Thai');
    expect(judged(CALLS['Japanese'] ?? '', null).summary).toContain('The call is in Japanese');
  });

  it('is not meant by names and brands', () => {
    const script = [
      'A: Good morning, thank you for calling Sony, this is Maria. How can I help you?',
      'C: Hello, my name is 田中太郎 and my parcel has not come.',
      'A: I am sorry about that, Mr 田中. It will be there tomorrow. Can I help you with anything else?',
      'C: No, thank you, goodbye.',
      'A: Thank you for calling, goodbye.',
    ].join('\n');
    expect(judged(script, 'en')).toMatchObject({ complianceStatus: 'passed' });
  });

  it.each([
    ['en', 'A: Hello, how are you?\nC: Fine.'],
    ['en', 'A: You are an idiot.\nC: Excuse me?'],
    ['de', 'A: Guten Tag.\nC: Hallo, ist da jemand?'],
    ['es', 'A: Buenos días.\nC: Hola, gracias.'],
    ['ru', 'A: Добрый день.\nC: Здравствуйте, спасибо.'],
  ])('is not meant by a few words of its own (%s): %s', (language, script) => {
    const { complianceFindings } = judged(script, language);
    expect(complianceFindings.map(({ answer }) => answer)).not.toContain('needs_review');
  });
});
