import { expect, it } from 'vitest';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { toSegment } from './marked.ts';

const texts = [
  'so yes I was calling about the delivery that was supposed to come on monday and nobody showed up',
  'password card code expiry address name account iban what is your email pin number',
  'card 4111 1111 1111 1111 code 123 expires 12/27 one two three four five six seven eight nine',
  'a b c d e f g 1 2 h i j main street 12 lane 14 road a dot b at c at d dot',
];

it.each(texts)('does not take out of proportion longer for more of: %s', (text) => {
  const said = (segments: number) =>
    Array.from({ length: segments }, (_, index) =>
      toSegment({ text, speaker: index % 2 ? 'A' : 'C', index, startMs: index * 9000 }),
    );
  const millisecondsFor = (segments: number): number => {
    const calls = said(segments);
    const times = [1, 2].map(() => {
      const begun = process.cpuUsage();
      redactTranscript(calls, { names: true });
      return process.cpuUsage(begun).user / 1000;
    });
    return Math.min(...times);
  };
  const [few, many] = [millisecondsFor(100), millisecondsFor(400)];
  expect(many).toBeLessThan(Math.max(200, few * 12));
});
