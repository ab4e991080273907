import { describe, expect, it } from 'vitest';
import type { CheckAnswer, Scorecard } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { Rubric } from '../../src/model/rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { answersOf, call, scoreByRules as score } from './corpus.ts';

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

describe('details in recognised speech', () => {
  it.each(['is that correct', 'is it right', 'is that all correct'])(
    'are confirmed where the agent asks "%s" without a question mark and the customer agrees',
    (tag) => {
      const { checks } = score(`A: hello how can i help you
C: i would like to pay my bill with my credit card please
A: of course you would like to pay the bill of sixty dollars ${tag}
C: yes sixty dollars
A: thank you the payment of sixty dollars has been made`);
      expect(checks.find(({ key }) => key === 'problem.details')).toMatchObject({
        answer: 'pass',
        evidence: [{ quote: expect.stringContaining('sixty dollars') }],
      });
    },
  );
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

describe('an unsolved problem', () => {
  it.each([
    'I will call you back tomorrow at eleven',
    "I'm sorry, I can't repair it from here. I'll call you back tomorrow at eleven.",
    'i have not been able to repair it but i will call you back tomorrow at eleven',
    'i will call you bag tomorrow at eleven',
    'so i call you back tomorrow at eleven',
    "i'll give you a call back tomorrow at eleven",
    'we will be calling you back tomorrow',
    'i shall call you back tomorrow at eleven',
    'let me call you back tomorrow at eleven',
    'someone will call you back',
  ])('with a next step is half of a result: %s', (words) => {
    expect(resolved(words)).toBe('partial');
  });

  it.each([
    'you will have to call back tomorrow',
    'i will not call you back',
    'will you call me back',
    'i would call you back tomorrow if i could',
    'may i call you back',
    'if i call you back tomorrow will you be there',
    'i can not call you back',
  ])('stays one where nobody takes a step: %s', (words) => {
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

/** The same call as a recogniser heard it, every word with this confidence. */
function recognised(script: string, confidence: number | null, agentName: string | null = null): Scorecard {
  const { transcript, durationMs } = call(script);
  const segments = transcript.segments.map((segment) => ({
    ...segment,
    words: segment.text
      .split(' ')
      .map((text) => ({ text, startMs: segment.startMs, endMs: segment.endMs, confidence })),
  }));
  const heard = { ...transcript, source: 'speech-to-text' as const, segments };
  return scoreCall({ transcript: heard, durationMs, rubric: defaultRubric, agentName, secondOpinion: 'tells' });
}

describe('words of the report that are made from what was heard', () => {
  const NOISE = `A: good morning hello parcel how can i help you
C: my last thing he had broken a week and they eat chicken and carry
A: what game would you like us to come
C: the blue one
A: okay goodbye`;

  it.each([0.75, 0.3])('suggest no sentence from words heard with a confidence of %s', (confidence) => {
    const { improvements, summary } = recognised(NOISE, confidence);
    expect(improvements.join('\n')).not.toMatch(/come, please|Parcel|is that right/u);
    expect(improvements.join('\n')).toContain('(company), my name is (your name)');
    expect(summary).toContain("The customer's request at 0:04 was not clearly recognised.");
    expect(summary).not.toMatch(/chicken/u);
  });

  const NAMED = `A: good morning northwind support this is farrah how can i help you
C: hi i want to know where my parcel is
A: it will arrive on monday at nine
C: okay thank you
A: thank you goodbye`;

  it.each<[string, number | null, string | null, string]>([
    ['heard for sure', 0.97, null, 'Farrah gave the answer'],
    ['heard with doubt', 0.7, null, 'The agent gave the answer'],
    ['heard without a word on how surely', null, null, 'The agent gave the answer'],
    ['heard with doubt and much like the one of the record', 0.7, 'Farah Jones', 'Farah gave the answer'],
    ['heard with doubt and unlike the one of the record', 0.7, 'Maria Lopez', 'The agent gave the answer'],
  ])('begin with a name that was %s as they may', (_case, confidence, agentName, beginning) => {
    expect(recognised(NAMED, confidence, agentName).summary).toContain(beginning);
  });

  it('begin with the name that a written transcript gives', () => {
    expect(score(NAMED).summary).toContain('Farrah gave the answer');
  });

  it('are quotes, and nothing is rewritten, where the source does not tell how surely it heard', () => {
    const { improvements, summary } = recognised(NOISE, null);
    expect(improvements.join('\n')).not.toMatch(/come, please|Parcel|is that right/u);
    expect(summary).toContain('The customer came with this: “my last thing he had broken a week');
  });

  it('suggest sentences from written transcripts and from words heard for sure', () => {
    for (const { improvements } of [score(NOISE), recognised(NOISE, 0.95)])
      expect(improvements.join('\n')).toMatch(/“What game would you like us to come, please\?”/u);
  });

  it('leave out the please of a request', () => {
    const { summary } = score(`A: hello how can i help you
C: i would like to pay my bill with my credit card, please. Thank you.
A: sure goodbye`);
    expect(summary).toContain('The customer wanted to pay their bill with their credit card.');
  });
});

describe('rationales', () => {
  const rationaleOf = (script: string, key: string): string | undefined =>
    score(script).checks.find((check) => check.key === key)?.rationale;

  it('name what was looked for', () => {
    const script = 'A: hello how can i help you\nC: i want to cancel my order\nA: it has been cancelled goodbye';
    expect(rationaleOf(script, 'greeting.opens')).toBe('The agent greets the customer in the first two turns.');
    expect(rationaleOf(script, 'closing.thanks')).toBe(
      'The agent does not thank the customer in the last three turns.',
    );
    expect(rationaleOf(script, 'professionalism.listening')).toBe('The agent never interrupts the customer.');
  });

  it.each([
    ['Mentions the warranty', {}, 'The agent does not mention the warranty in the call.'],
    ['Apologise for the delay', {}, 'The agent does not apologise for the delay in the call.'],
    ['The agent verifies the address', {}, 'The agent does not verify the address in the call.'],
    ['The warranty is mentioned', {}, 'The warranty is not mentioned in the call.'],
    ['Offer mentioned', {}, 'The agent does not say what “Offer mentioned” asks for in the call.'],
    ['Confirms that all is well', { role: 'customer' }, 'The customer does not confirm that all is well in the call.'],
    ['Consent', { role: 'anyone' }, 'Nobody says what “Consent” asks for in the call.'],
    ['No slang', { expect: 'absent' }, 'The agent says nothing that breaks “No slang” in the call.'],
    [
      'No slang',
      { expect: 'absent', phrases: ['hello'] },
      'The agent breaks “No slang” by saying “hello” in the call.',
    ],
  ])('are derived from a title of one’s own: %s', (title, more, rationale) => {
    const check = { key: 'own.check', title, weight: 1, kind: 'phrase', phrases: ['abracadabra'], ...more };
    const rubric = Rubric.parse({
      categories: [{ key: 'own', title: 'Own', weight: 1, checks: [check] }],
      compliance: [],
    });
    const { checks } = scoreCall({ ...call('A: hello there\nC: hi'), rubric });
    expect(checks[0]?.rationale).toBe(rationale);
  });
});
