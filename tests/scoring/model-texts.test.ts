import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment } from '../../src/model/transcript.ts';
import { readFacts } from '../../src/scoring/facts/facts.ts';
import { toPlainText } from '../../src/scoring/model/plain-text.ts';
import { findQuote } from '../../src/scoring/model/quotes.ts';
import { createTextCheck } from '../../src/scoring/model/text-check.ts';
import { call } from './corpus.ts';
import { processorMsOf } from '../support/processor-time.ts';

fc.configureGlobal({ seed: 20_261_121 });

const segment = (text: string): Segment => ({
  id: 'seg_1',
  index: 0,
  speaker: 'spk_0',
  role: 'agent',
  channel: 0,
  startMs: 5000,
  endMs: 9000,
  text,
  confidence: null,
  words: [],
});

describe('a quote', () => {
  it.each([
    ['word for word', 'May I have your name, please?', 'have your name', 'have your name'],
    ['in other case and spacing', 'May I have your name, please?', '  HAVE   your\nname ', 'have your name'],
    ['with other punctuation', 'May I have your name, please?', '“your name... please!”', 'your name, please'],
    ['with another apostrophe', 'I don’t know that', "don't know", 'don’t know'],
    ['with full-width letters', 'your balance is fine', 'ｙｏｕｒ ｂａｌａｎｃｅ', 'your balance'],
    ['where the transcript hides signs', 'ple\u200Base wa\u200Dit here', 'please wait', 'ple\u200Base wa\u200Dit'],
    ['of a whole segment of one word', 'Goodbye!', 'goodbye', 'Goodbye'],
    ['in a script without spaces', '我想查一下我的账户余额', '我的账户', '我的账户'],
    ['in another script', 'Чем я могу вам помочь?', 'могу вам помочь', 'могу вам помочь'],
  ])('is found %s, and given back as the transcript has it', (_name, text, quote, found) => {
    expect(findQuote(segment(text), quote)).toEqual({ segmentId: 'seg_1', quote: found, startMs: 5000 });
    expect(text).toContain(found);
  });

  it.each([
    ['that nobody said', 'may i have your name please', 'your account number'],
    ['with a word left out', 'we can not refund that', 'we can refund that'],
    ['with words in another order', 'the refund is done', 'done is the refund'],
    ['of parts of words', 'the therapist is here', 'the rapist'],
    ['that goes beyond its segment', 'how can i help', 'how can i help you'],
    ['of one word out of many', 'how can i help', 'help'],
    ['of nothing', 'how can i help', ' … '],
    ['of signs that only look alike', 'your balance is fine', 'your bаlance is fine'],
  ])('is not found %s', (_name, text, quote) => {
    expect(findQuote(segment(text), quote)).toBeNull();
  });

  it('of a secret shows its beginning alone', () => {
    const card = 'the card is 4111 1111 1111 1111 and the code is 123';
    expect(findQuote(segment(card), card, { isSecret: true })?.quote).toBe('the card is 4111');
    expect(findQuote(segment('4111111111111111 ok'), '4111111111111111 ok', { isSecret: true })?.quote).toBe('4111');
    const spoken = 'your number is four one one one one one one one one one';
    expect(findQuote(segment(spoken), spoken, { isSecret: true })?.quote.length).toBeLessThanOrEqual(24);
  });

  it('has the time of its first word where words have times', () => {
    const words = ['well', 'hello', 'there'].map((text, index) => {
      return { text, startMs: 5000 + index * 500, endMs: 5400 + index * 500, confidence: null };
    });
    expect(findQuote({ ...segment('well hello there'), words }, 'hello there')?.startMs).toBe(5500);
  });

  it('is always found again in its segment, whatever the two are', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.nat(40), fc.nat(40), (text, other, from, length) => {
        for (const quote of [text.slice(from, from + length), other]) {
          const found = findQuote(segment(text), quote);
          expect(found === null || (found.quote !== '' && text.includes(found.quote))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a text that a model wrote', () => {
  it.each([
    ['markup', '<b>Well</b> done <script>alert(1)</script> here', 'Well done alert(1) here'],
    ['broken markup', 'Well <img src=x onerror=alert(1) done', 'Well img src=x onerror=alert(1) done'],
    ['entities', 'Well &lt;b&gt; done &#x3C;i&#62;', 'Well b done i'],
    ['a link', 'Read [the guide](https://evil.example/x?q=1) now', 'Read the guide now'],
    ['an image', 'See ![pixel](https://evil.example/p.png) now', 'See pixel now'],
    ['an address', 'Go to https://evil.example/a?b=c now, or www.evil.example too', 'Go to now, or too'],
    ['a bare host', 'Write to evil.com/login today', 'Write to today'],
    ['a script address', 'Click javascript:alert(document.cookie) now', 'Click now'],
    ['a mail address', 'Mail tom@example.com today', 'Mail today'],
    ['invisible and turning signs', 'a\u200Bb\u202Ec\u{E0041}\u0007d', 'abcd'],
    ['full-width brackets', '＜script＞x＜/script＞ fine', 'x fine'],
    ['code', '```js\nfine\n``` and `more`', 'fine and more'],
    ['a card number', 'Card 4111 1111 1111 1111 was read', 'Card [number] was read'],
    ['a telephone number', 'Call +44 7700 900123 back', 'Call [number] back'],
    ['lines', 'One.\n\n## Two\n- three', 'One. Two - three'],
  ])('comes without %s', (_name, text, plain) => {
    expect(toPlainText(text, 300)).toBe(plain);
  });

  it('is cut where it is long', () => {
    const plain = toPlainText('all work and no play '.repeat(100), 80);
    expect(plain.length).toBeLessThanOrEqual(80);
    expect(plain.endsWith('…')).toBe(true);
  });

  it('holds nothing that a page or a terminal acts on, whatever it was, and is made quickly', () => {
    const hostile = fc.constantFrom(
      '<',
      '>',
      '&lt;',
      'http://a',
      '](',
      '![',
      '\u202E',
      '\u0000',
      '\uD800',
      '://',
      '`',
      'a.com',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, fc.string()), { maxLength: 60 }), (parts) => {
        const plain = toPlainText(parts.join(''), 200);
        expect(plain).not.toMatch(/[<>`\p{Cc}\p{Cf}]|:\/\//u);
        expect(plain.isWellFormed() && plain.length <= 200).toBe(true);
      }),
      { numRuns: 500 },
    );
    const plainMs = processorMsOf(() => {
      for (const part of ['<', '[a](', '![', 'a.', '&#', '1 ', 'http://', '[', 'a@', '\u200B']) {
        toPlainText(part.repeat(500), 300);
        toPlainText(part.repeat(500).slice(0, 500), 300);
      }
    });
    expect(plainMs).toBeLessThan(2_000);
  });

  it('is left out where it speaks of scores, or has figures that the call does not', () => {
    const { transcript, durationMs } = call(
      'A: your refund of forty five dollars is on the third of may\nC: my number is double four one',
    );
    const check = createTextCheck(readFacts({ transcript, durationMs, agentName: null }));
    expect(check('The refund of 45 dollars comes on the 3rd.', 300)).toBe('The refund of 45 dollars comes on the 3rd.');
    expect(check('The number ends with 441.', 300)).toBe('The number ends with 441.');
    for (const text of [
      'The refund is 900 dollars.',
      'A perfect score.',
      'Rated 3 of 5.',
      'It earns 45 points.',
      '??',
      '',
    ]) {
      expect({ text, shown: check(text, 300) }).toEqual({ text, shown: null });
    }
  });
});
