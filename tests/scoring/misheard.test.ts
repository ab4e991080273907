import { describe, expect, it } from 'vitest';
import type { CheckAnswer, Scorecard } from '../../src/domain/analyses/schemas.ts';
import { score } from './corpus.ts';

function sensitive({ complianceFindings }: Scorecard): CheckAnswer | undefined {
  return complianceFindings.find(({ key }) => key === 'compliance.sensitive')?.answer;
}

describe('sensitive data in recognised speech', () => {
  it.each([
    'A: yes i see and hear your card number is four one one one one one one one here to take you three three three three',
    'A: the card number is four five three two there a one five one and two eight free three six six',
    'A: so the long number on the card is five five oh five hand four four four four and three three see three three',
    'A: and the security code on the back is seventy four and charging the car now',
    'A: and the c v v is nine twelve i have it here',
    'A: what is your card number\nC: four one one one one one one one three three three three two two two two\nA: okay four one one one one one won there three three three three two two to the',
  ])('is read out by the agent although figures were misheard: %s', (script) => {
    expect(sensitive(score(script))).toBe('fail');
  });

  it.each([
    'A: i see that your card number ends in four two four two',
    'A: the last four digits of your card number are four two four two and your phone number is five five five one two three four five six seven',
    'A: what is the card number please and the security code on the back',
    'A: what is your card number\nC: four one one one one one one one here to take you three three three three\nA: thank you very much',
    'C: my card number is four one one one one one one one here to take three three three three and the security code is seventy four',
    'A: your phone number is oh two oh seven nine four six and a one two three four is that right',
    'A: your order number is four one one one one one one one here to take you three three three three',
    'A: the account number is four four one two and eight eight three one one two nine nine',
    'A: your reference number is eight eight one two three four five six seven eight nine nine one',
    'A: your card number is on the front and your reference number is eight eight one two three four five six seven eight nine nine',
    'A: your loyalty card number is six three three one four four five five six six seven seven',
    'A: the security code is three digits long and expires after ten minutes',
    'A: the security code is valid for thirty minutes',
    'A: your card ends in four two four two and we charged forty five dollars on march twelfth twenty twenty four at ten thirty',
  ])('is not read out: %s', (script) => {
    expect(sensitive(score(script))).toBe('pass');
  });

  it.each([
    '?: hm well\n?: four one one one one one one one one one one one one one one one',
    '?: please read me the long number on your card\n?: okay four one one one one one one one here to take three three three three',
    '?: the card number is four one one one one one one one here to take you three three three three',
    '?: and the security code on the back is seventy four',
  ])('is for a person to judge where the voice is unknown: %s', (script) => {
    expect(sensitive(score(script))).toBe('needs_review');
  });
});
