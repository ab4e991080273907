import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

function report(script: string, language: string): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: { ...transcript, language }, durationMs, rubric: defaultRubric });
}

describe('a report of a call that rules know little of', () => {
  const garage = report(
    `A: frank's frames and tyres
C: hey frank it's dana pell i left the van with you on monday
A: oh yeah the white one hang on
C: yeah i just want to know what's the deal is it ready
A: it needs a rack end and i've none here the part comes in wednesday
C: so thursday then
A: should be about two ninety i'll shoot you a text on thursday when it's off the ramp
C: grand thanks frank
A: take care`,
    'en',
  );

  const tuner = report(
    `A: hello
C: oh hello is that the piano tuner
A: it is yes
C: um right you did our upright two years ago the one with the sticky pedal and it wants tuning again before the twentieth
A: i remember the one with the cat
C: that's the one
A: i'm over your way on the tuesday i could be with you by eleven
C: eleven's fine
A: it's eighty five these days i'm sorry to say
C: that's all right see you then`,
    'en',
  );

  it('quotes what the customer asks for, and not how they begin', () => {
    expect(tuner.summary).toContain('with the sticky pedal');
    expect(tuner.summary).not.toContain('is that the piano tuner');
  });

  it('says what the agent left it at where a listener has to decide whether that is a result', () => {
    expect(tuner.checks.find(({ key }) => key === 'problem.resolved')?.answer).toBe('needs_review');
    expect(tuner.summary).toMatch(/said at \d:\d\d: “[^”]+”; whether that met the request is for a listener/u);
  });

  it('keeps a promise in words that no phrase has', () => {
    expect(garage.actionItems.join(' ')).toContain("i'll shoot you a text on thursday");
  });

  it('advises nobody to say when who has said so, in whatever words', () => {
    const { checks, improvements } = report(
      `A: lift service nicolas here
C: hi the lift is stuck between four and five again
A: i know it the old one on park street
C: yes can somebody come
A: i'll come by myself today between two and three
C: perfect nico thanks
A: i'll give you a ring on this number when i'm there
C: great bye`,
      'en',
    );
    expect(checks.find(({ key }) => key === 'problem.resolved')?.answer).toBe('partial');
    expect(improvements.join(' ')).not.toContain('Say by when');
  });

  it('keeps four promises at most, so that what else is to be done has its place', () => {
    const { actionItems } = report(
      `A: Good morning, Harrow Fibre, this is Priya. How can I help?
C: Hello. I want my refund.
A: I will send you the form tomorrow. I will call you on Friday. An engineer will visit you on Monday. I will email you the receipt next week.
C: And the router?
A: i'll shoot you a text on thursday when it's off the ramp
C: That is not acceptable, I am not happy with this.
A: Goodbye.`,
      'en',
    );
    expect(actionItems.filter((item) => item.startsWith('Promised'))).toHaveLength(4);
  });

  it('tells of a possible breach as possible, in what is to be done as well', () => {
    const { actionItems, complianceStatus } = report(
      `A: Good morning, Harrow Loans, this is Ivy. How can I help?
C: Hello, I would like to know whether my loan will be approved.
A: I guarantee that you will get the loan. You must decide today, and do not tell anybody about this offer.
C: Why should I not tell anyone?
A: Because it is our secret. Goodbye.`,
      'en',
    );
    expect(complianceStatus).toBe('needs_review');
    expect(actionItems.join(' ')).toContain('to decide on “No threats, guarantees or secrecy”');
    expect(actionItems.join(' ')).not.toContain('breach');
  });

  it('leaves no word out of a quote that is a filler in another language only', () => {
    const { summary } = report(
      `A: Getränke Huber, grüß Gott, was kann ich für Sie tun?
C: Servus, ich möchte wissen, wo der Fahrer bleibt, um drei wollte er eh da sein.
A: Der steht vorm falschen Haus.
C: Gut, dann mach ich auf.`,
      'de',
    );
    expect(summary).toContain('um drei wollte er eh da sein');
  });
});
