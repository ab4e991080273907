import { describe, expect, it } from 'vitest';
import type { CheckAnswer, Scorecard } from '../../src/domain/analyses/schemas.ts';
import { answersOf, score } from './corpus.ts';

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

const ASK = 'A: hello how can i help you\nC: my internet does not work and i want somebody to repair it\n';
const resolved = (words: string): CheckAnswer | undefined =>
  answersOf(score(`${ASK}A: ${words}\nC: okay`))['problem.resolved'];

describe('results in recognised speech', () => {
  it('are heard where the object or the next words are garbled', () => {
    const { checks } = score(`${ASK}A: thank you for waiting i have found the problem and i have restarted airline
C: both the light is green now it works again
A: wander fill your connection is working again is there anything else`);
    expect(checks.find(({ key }) => key === 'problem.resolved')).toMatchObject({ answer: 'pass' });
  });

  it.each([
    'i have restarted airline',
    'we have just reprogrammed modem for you',
    'your connection is working again',
    'so it works again now',
    'the line is back online',
    'your service is active again',
    'the booking is confirmed now',
    'i have done that for you',
    'your account is back to normal',
  ])('"%s" is one', (words) => {
    expect(resolved(words)).toBe('pass');
  });

  it.each([
    'your connection is not working again',
    'is it working again now',
    'let me see if it works now',
    'i hope that it is working now',
    'you said that it works again',
    'please make sure that it works now',
    'your connection was never back to normal',
    'nothing works now',
    'i have not restarted the line',
    'have you restarted your modem',
    'i have found the problem',
    'i have looked everywhere',
    'i told you that it was repaired',
  ])('"%s" is none', (words) => {
    expect(resolved(words)).toBe('fail');
  });
});

describe('rude sentences', () => {
  const RUDE = `A: yes hello
C: hi i want to know where my parcel is it never arrived
A: are you stupid i told you that it was delivered stop wasting my time
C: that is not acceptable
A: please shut up i have sent it again you idiot
C: goodbye`;

  it('are no result and never quoted as one', () => {
    const scorecard = score(RUDE.replace('please shut up i have sent it again you idiot', 'whatever'));
    expect(answersOf(scorecard)).toMatchObject({ 'problem.resolved': 'fail', 'professionalism.respect': 'fail' });
    expect(scorecard.summary).not.toMatch(/stupid|wasting|told you/u);
  });

  it('are cut away from the words that speak for the agent', () => {
    const { checks, summary } = score(RUDE);
    const good = checks.filter(({ answer }) => answer === 'pass' || answer === 'partial');
    const quotes = good.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
    expect(quotes.join(' | ')).not.toMatch(/stupid|shut up|idiot|wasting/u);
    expect(summary).toContain('i have sent it again');
    expect(summary).not.toMatch(/shut up|idiot/u);
  });
});
