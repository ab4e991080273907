import type { LanguageCalls } from './language-calls.ts';

/** Calls in English for the templates; the standard rubric has tests of its own as well. */
export const english: LanguageCalls = {
  service: {
    good: `
      A: Good morning, thank you for calling Northwind Energy.
      A: My name is Sarah.
      A: How can I help you today?
      C: Hi, I'd like to move my engineer visit to Thursday.
      A: Is that the visit for the gas meter?
      C: Yes, it is.
      A: One moment please, let me check the calendar.
      ~18
      A: Thank you for waiting.
      A: Your visit has been moved to Thursday.
      A: The engineer rings the bell twice and then comes up to your floor with all of the tools.
      C: Perfect, thank you.
      A: Is there anything else I can help you with?
      C: No, thank you.
      A: Thank you for your call.
      A: Have a lovely day, goodbye.`,
    bad: `
      A: What?
      C: Hello, my parcel with the number four seven one one did not arrive, can you help me?
      A: That's not my problem.
      C: That is ridiculous, I am not happy.
      A: Whatever.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'problem.understood',
      'problem.details',
      'problem.resolved',
      'problem.accepted',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
    ],
    changes: [
      { from: 'A: My name is Sarah.', to: 'A: The lines are open.', flips: { 'greeting.name': 'fail' } },
      {
        from: 'A: Have a lovely day, goodbye.',
        to: 'A: It is all in the file.',
        flips: { 'closing.farewell': 'fail' },
      },
    ],
  },
  sales: {
    good: `
      I: This call may be recorded for training purposes.
      A: Good afternoon, Mrs Weaver.
      A: My name is James, and I am calling from Clearlight Energy.
      A: The reason for my call is your contract, which ends in May.
      A: Do you have a few minutes?
      C: Yes, a few minutes, but I am at work, so please be quick about it.
      A: What matters most to you in a tariff?
      C: That the price stays the same, because last year it went up nearly every single month.
      A: With our tariff you would save a good deal of money.
      C: That does not sound bad.
      A: The monthly price is twenty nine pounds.
      A: The contract runs for twelve months.
      A: You can cancel within fourteen days.
      C: Good, that is fair enough, and it makes me feel a lot better.
      A: Would you like to go ahead?
      C: Yes, please, let us do that.
      A: Thank you for your trust.
      A: Have a lovely afternoon, goodbye.`,
    bad: `
      A: It's about electricity.
      C: Hello, who is this? Please do not call me again.
      A: You have to decide today, this offer ends today.
      C: No.
      A: Not my problem.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
      'compliance.doNotCall',
      'compliance.urgency',
    ],
    changes: [
      {
        from: 'I: This call may be recorded for training purposes.',
        to: 'I: Please stay on the line.',
        flips: { 'compliance.notice': 'fail' },
      },
      {
        from: 'A: Do you have a few minutes?',
        to: 'A: Your meter is in the cellar.',
        flips: { 'opening.time': 'fail' },
      },
      {
        from: 'A: What matters most to you in a tariff?',
        to: 'A: Our tariff is very popular.',
        flips: { 'discovery.needs': 'fail' },
      },
      {
        from: 'A: The contract runs for twelve months.',
        to: 'A: The power comes from water.',
        flips: { 'offer.terms': 'fail' },
      },
      {
        from: 'A: You can cancel within fourteen days.',
        to: 'A: The power comes from nearby.',
        flips: { 'compliance.cancellation': 'fail' },
      },
      { from: 'A: You can cancel within fourteen days.', to: 'A: You can cancel within 14 days.', flips: {} },
      {
        from: 'A: The monthly price is twenty nine pounds.',
        to: 'A: The tariff is really nice.',
        flips: { 'offer.price': 'fail', 'compliance.price': 'fail' },
      },
    ],
  },
  support: {
    good: `
      I: Calls are recorded.
      A: Hello, technical support, my name is Ellen.
      A: How can I help you?
      C: Hello, my internet is not working.
      A: I am so sorry about that, it must be a real nuisance.
      A: When did it start?
      C: Last night.
      A: Which light is on at the router?
      C: Only the red one.
      A: Please unplug the router and wait for ten seconds.
      C: Done.
      A: Thank you, I am going to reset the line from here, it takes no time at all.
      A: The connection is back online.
      A: Is everything working again?
      C: Yes, it works, thank you very much.
      A: Is there anything else I can do for you?
      C: No, thank you.
      A: Thank you for calling.
      A: Have a good day, bye.`,
    bad: `
      A: Technics.
      C: Good morning, my internet has been down since yesterday, can you help me?
      A: Nothing to be done there.
      C: That is unacceptable, that does not help.
      A: That's how it goes.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'diagnosis.acknowledged',
      'diagnosis.empathy',
      'diagnosis.questions',
      'solution.steps',
      'solution.checked',
      'solution.resolved',
      'solution.ticket',
      'solution.accepted',
      'professionalism.courtesy',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Is everything working again?',
        to: 'A: The router stands best in the open.',
        flips: { 'solution.checked': 'fail' },
      },
      {
        from: 'A: Is there anything else I can do for you?',
        to: 'A: A great many people call today.',
        flips: { 'closing.more': 'fail' },
      },
    ],
  },
  collections: {
    good: `
      I: This call is being recorded.
      A: Good morning, my name is Mark, calling from Northern Credit.
      A: Am I speaking to Mrs Brown?
      C: Yes, that is me.
      A: For security, may I have your date of birth?
      C: The third of May nineteen eighty.
      A: Thank you, this is an attempt to collect a debt, and any information will be used for that purpose.
      A: The outstanding balance is two hundred pounds.
      C: Yes, I know, I lost my job.
      A: I understand, what can you afford at the moment?
      C: I start a new job on Monday.
      A: We can offer a payment plan.
      C: I could manage forty pounds a month.
      A: So you will pay forty pounds a month, and the first payment is on the first of June.
      C: Agreed.
      A: Thank you for your time.
      A: All the best, goodbye.`,
    bad: `
      A: You have not paid.
      C: Hello, who is this, what do you want from me?
      A: Pay today or we take your car.
      C: That is outrageous.
      A: We will tell your boss.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'opening.identity',
      'account.amount',
      'account.situation',
      'arrangement.plan',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.disclosure',
      'compliance.threats',
      'compliance.pressure',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Thank you, this is an attempt to collect a debt, and any information will be used for that purpose.',
        to: 'A: Thank you, that is what I have here on the screen.',
        flips: { 'compliance.disclosure': 'fail' },
      },
      {
        from: 'A: So you will pay forty pounds a month, and the first payment is on the first of June.',
        to: 'A: Fine, we leave it at that.',
        flips: { 'arrangement.recap': 'fail' },
      },
      {
        from: 'A: We can offer a payment plan.',
        to: 'A: The money has to come anyway.',
        flips: { 'arrangement.plan': 'fail', 'arrangement.recap': 'not_applicable' },
      },
      {
        from: 'A: All the best, goodbye.',
        to: 'A: Goodbye, or we tell your employer.',
        flips: { 'compliance.threats': 'fail' },
      },
      { from: 'A: All the best, goodbye.', to: 'A: Goodbye, we will never tell your employer.', flips: {} },
      {
        from: 'C: Yes, I know, I lost my job.',
        to: 'C: I do not owe you that, I already paid.',
        flips: {
          'arrangement.plan': 'not_applicable',
          'arrangement.recap': 'not_applicable',
          'arrangement.dispute': 'fail',
        },
      },
    ],
  },
};
