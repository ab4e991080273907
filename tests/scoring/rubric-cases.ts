import type { CheckAnswer } from '../../src/model/scorecard.ts';

/** A call in which every check of the standard rubric passes. One sentence a line, so that one can be exchanged. */
export const GOOD_CALL = `
  A: Good morning.
  A: This is Northwind Energy.
  A: My name is Sarah.
  A: How can I help you today?
  C: Hi, I'd like to move my engineer visit to Thursday at ten.
  A: Is that the visit for the gas meter?
  C: Yes, it is.
  A: I have the calendar here on my screen.
  A: So that's Thursday at ten.
  C: Right.
  A: One moment while I look.
  ~20
  A: Your visit has been moved.
  A: The engineer rings the bell twice, please.
  C: Perfect, thank you.
  A: Is there anything else I can help you with?
  C: No, thank you.
  A: Thank you for your call.
  A: Have a lovely day.`;

const VOICEMAIL = `
  A: Hello, this is Tom from Lakeside Clinic with a message about your results, please call us back, thank you, goodbye.`;

const MID_CALL = `
  A: and what is the second line of the address please
  C: it's twelve Garden Lane
  A: twelve Garden Lane, I've updated that for you
  C: great thanks
  A: is there anything else I can do for you
  C: no thank you
  A: thank you very much have a nice day`;

const INFORMATION = `
  A: Good evening, Bella Pizza, my name is Marco, how can I help you?
  C: What time do you close tonight?
  A: We close at eleven, sir, thank you for asking.
  C: Great, thanks, bye.`;

/** Like INFORMATION, but the agent takes leave as well. */
const NEED_FIRST = `
  C: Hello, I need to cancel my membership.
  A: Hello, FitZone support, Carla speaking.
  A: Of course, which membership is that?
  C: The family one.
  A: It has been cancelled.
  C: Thanks a lot.
  A: Is there anything else?
  C: No.
  A: Thank you for calling, goodbye.`;

const NO_OFFER = `
  A: Good morning, Delta Gas, my name is Lisa.
  C: Hello.
  A: Your customer number, please.
  C: Five five one.
  A: Five five one, thank you.
  C: Yes.
  A: I have the file here.
  C: I would like to change my tariff.
  A: Do you mean the gas tariff?
  C: Yes.
  A: It has been changed.
  C: Thank you.
  A: Is there anything else?
  C: No.
  A: Thank you for calling, goodbye.`;

const RUDE = `
  A: Billing.
  C: Hello, I was charged twice and I want my money back.
  A: That is your own fault.
  A: Nobody else has this.
  C: That is not acceptable, I will complain.
  A: Bye.`;

const BAD_SILENCE = `
  A: Good morning, Skyline Travel, this is Megan, how can I help?
  C: I want to cancel my flight.
  A: Which flight is that, please?
  C: The one to Rome.
  ~18
  A: It is an old booking.
  C: Yes.
  ~18
  A: It has been cancelled.
  C: Thanks.
  A: Anything else?
  C: No.
  A: Thank you, goodbye.`;

const NO_NAMES = `
  A: Hello, how can I help you?
  C: I want to report my meter reading, it's four five one two.
  A: Which meter is that, please?
  C: The gas one.
  A: It has been recorded.
  C: Thanks.
  A: Anything else?
  C: No.
  A: Thank you, goodbye.`;

const SOME_DETAILS = `
  A: Hello, Meridian Parcel, this is Helen, how can I help you?
  C: I want a new delivery on Tuesday at nine to forty two Baker Street.
  A: On Tuesday, which parcel is that?
  C: The small one.
  A: One moment while I look.
  ~20
  A: It is in the depot.
  C: Okay.
  ~20
  A: Our driver will call you about it.
  C: Okay, I hope it really comes this time.
  A: Is there anything else?
  C: No.
  A: Thank you for calling.`;

const INFORMATION_SHORT = `
  A: Good evening, Bella Pizza, my name is Marco, how can I help you?
  C: What time do you close tonight?
  A: We close at eleven.
  C: Great, thanks, bye.`;

export const CALLS = {
  NO_NAMES,
  SOME_DETAILS,
  INFORMATION_SHORT,
  GOOD_CALL,
  VOICEMAIL,
  MID_CALL,
  INFORMATION,
  NEED_FIRST,
  NO_OFFER,
  RUDE,
  BAD_SILENCE,
};
export type CallName = keyof typeof CALLS;

/** For each check the calls in which it gets each of its answers. */
export const ANSWERS: { check: string; call: CallName; answer: CheckAnswer }[] = [
  { check: 'greeting.opens', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'greeting.opens', call: 'RUDE', answer: 'fail' },
  { check: 'greeting.opens', call: 'MID_CALL', answer: 'not_applicable' },
  { check: 'greeting.company', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'greeting.company', call: 'NO_NAMES', answer: 'fail' },
  { check: 'greeting.company', call: 'MID_CALL', answer: 'not_applicable' },
  { check: 'greeting.name', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'greeting.name', call: 'RUDE', answer: 'fail' },
  { check: 'greeting.name', call: 'MID_CALL', answer: 'not_applicable' },
  { check: 'greeting.offer', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'greeting.offer', call: 'NO_OFFER', answer: 'fail' },
  { check: 'greeting.offer', call: 'NEED_FIRST', answer: 'not_applicable' },
  { check: 'problem.understood', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'problem.understood', call: 'RUDE', answer: 'fail' },
  { check: 'problem.understood', call: 'INFORMATION', answer: 'not_applicable' },
  { check: 'problem.details', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'problem.details', call: 'NO_NAMES', answer: 'fail' },
  { check: 'problem.details', call: 'SOME_DETAILS', answer: 'partial' },
  { check: 'problem.details', call: 'INFORMATION', answer: 'not_applicable' },
  { check: 'problem.resolved', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'problem.resolved', call: 'RUDE', answer: 'fail' },
  { check: 'problem.resolved', call: 'SOME_DETAILS', answer: 'partial' },
  { check: 'problem.resolved', call: 'VOICEMAIL', answer: 'not_applicable' },
  { check: 'problem.accepted', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'problem.accepted', call: 'RUDE', answer: 'fail' },
  { check: 'problem.accepted', call: 'SOME_DETAILS', answer: 'partial' },
  { check: 'problem.accepted', call: 'VOICEMAIL', answer: 'not_applicable' },
  { check: 'professionalism.courtesy', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'professionalism.courtesy', call: 'SOME_DETAILS', answer: 'partial' },
  { check: 'professionalism.courtesy', call: 'RUDE', answer: 'fail' },
  { check: 'professionalism.respect', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'professionalism.respect', call: 'RUDE', answer: 'fail' },
  { check: 'professionalism.listening', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'professionalism.hold', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'professionalism.hold', call: 'BAD_SILENCE', answer: 'fail' },
  { check: 'professionalism.hold', call: 'SOME_DETAILS', answer: 'partial' },
  { check: 'professionalism.hold', call: 'RUDE', answer: 'not_applicable' },
  { check: 'professionalism.clarity', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'professionalism.clarity', call: 'INFORMATION', answer: 'not_applicable' },
  { check: 'closing.more', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'closing.more', call: 'RUDE', answer: 'fail' },
  { check: 'closing.more', call: 'INFORMATION', answer: 'not_applicable' },
  { check: 'closing.thanks', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'closing.thanks', call: 'RUDE', answer: 'fail' },
  { check: 'closing.farewell', call: 'GOOD_CALL', answer: 'pass' },
  { check: 'closing.thanks', call: 'INFORMATION_SHORT', answer: 'not_applicable' },
  { check: 'closing.farewell', call: 'SOME_DETAILS', answer: 'fail' },
  { check: 'closing.farewell', call: 'INFORMATION', answer: 'not_applicable' },
];

export type Change = { key: string; call: CallName; from: string; to: string; answer: CheckAnswer };

/** One sentence exchanged: exactly this answer changes, and no other. */
export const CHANGES: Change[] = [
  { key: 'greeting.opens', call: 'GOOD_CALL', from: 'A: Good morning.', to: 'A: Right then.', answer: 'fail' },
  { key: 'greeting.opens', call: 'RUDE', from: 'A: Billing.', to: 'A: Good afternoon, billing.', answer: 'pass' },
  {
    key: 'greeting.company',
    call: 'GOOD_CALL',
    from: 'A: This is Northwind Energy.',
    to: 'A: The line is fine.',
    answer: 'fail',
  },
  { key: 'greeting.name', call: 'GOOD_CALL', from: 'A: My name is Sarah.', to: 'A: The line is fine.', answer: 'fail' },
  { key: 'greeting.name', call: 'RUDE', from: 'A: Billing.', to: 'A: Billing, Kevin speaking.', answer: 'pass' },
  {
    key: 'greeting.offer',
    call: 'GOOD_CALL',
    from: 'A: How can I help you today?',
    to: 'A: It is a busy day.',
    answer: 'not_applicable',
  },
  {
    key: 'greeting.offer',
    call: 'NO_OFFER',
    from: 'A: Good morning, Delta Gas, my name is Lisa.',
    to: 'A: Good morning, Delta Gas, my name is Lisa, how can I help?',
    answer: 'pass',
  },
  {
    key: 'problem.understood',
    call: 'GOOD_CALL',
    from: 'A: Is that the visit for the gas meter?',
    to: 'A: My computer is a little slow today.',
    answer: 'fail',
  },
  {
    key: 'problem.understood',
    call: 'RUDE',
    from: 'A: Nobody else has this.',
    to: 'A: Which month was that?',
    answer: 'pass',
  },
  {
    key: 'problem.details',
    call: 'GOOD_CALL',
    from: "A: So that's Thursday at ten.",
    to: 'A: That is a good day.',
    answer: 'fail',
  },
  {
    key: 'problem.details',
    call: 'GOOD_CALL',
    from: "A: So that's Thursday at ten.",
    to: "A: So that's Thursday.",
    answer: 'partial',
  },
  {
    key: 'problem.resolved',
    call: 'GOOD_CALL',
    from: 'A: Your visit has been moved.',
    to: 'A: Your visit has not been moved.',
    answer: 'fail',
  },
  {
    key: 'problem.resolved',
    call: 'GOOD_CALL',
    from: 'A: Your visit has been moved.',
    to: 'A: Our planning team will call you about it.',
    answer: 'partial',
  },
  {
    key: 'problem.accepted',
    call: 'GOOD_CALL',
    from: 'C: No, thank you.',
    to: "C: No, but I'm still not happy with this.",
    answer: 'fail',
  },
  {
    key: 'problem.accepted',
    call: 'GOOD_CALL',
    from: 'C: No, thank you.',
    to: 'C: No, I guess that will have to do.',
    answer: 'partial',
  },
  {
    key: 'professionalism.courtesy',
    call: 'GOOD_CALL',
    from: 'A: The engineer rings the bell twice, please.',
    to: 'A: The engineer rings the bell twice.',
    answer: 'partial',
  },
  {
    key: 'professionalism.courtesy',
    call: 'RUDE',
    from: 'A: Nobody else has this.',
    to: 'A: Nobody else has this, sorry.',
    answer: 'pass',
  },
  {
    key: 'professionalism.respect',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: You should have read the letter, that is your own fault.',
    answer: 'fail',
  },
  {
    key: 'professionalism.respect',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: What the hell, you are an idiot.',
    answer: 'fail',
  },
  {
    key: 'professionalism.respect',
    call: 'RUDE',
    from: 'A: That is your own fault.',
    to: 'A: The price list says so.',
    answer: 'pass',
  },
  {
    key: 'professionalism.hold',
    call: 'GOOD_CALL',
    from: 'A: One moment while I look.',
    to: 'A: The day is not too full.',
    answer: 'fail',
  },
  {
    key: 'professionalism.hold',
    call: 'BAD_SILENCE',
    from: 'A: It is an old booking.',
    to: 'A: Thank you for waiting.',
    answer: 'partial',
  },
  {
    key: 'closing.more',
    call: 'GOOD_CALL',
    from: 'A: Is there anything else I can help you with?',
    to: 'A: There is nothing else I can do for you.',
    answer: 'fail',
  },
  {
    key: 'closing.thanks',
    call: 'GOOD_CALL',
    from: 'A: Thank you for your call.',
    to: 'A: That was quick.',
    answer: 'fail',
  },
  { key: 'closing.farewell', call: 'GOOD_CALL', from: 'A: Have a lovely day.', to: 'A: That was all.', answer: 'fail' },
  { key: 'closing.farewell', call: 'RUDE', from: 'A: Bye.', to: 'A: Whatever.', answer: 'fail' },
  {
    key: 'compliance.sensitive',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: Your card is four one one one, one one one one, one one one one, one one one one.',
    answer: 'fail',
  },
  {
    key: 'compliance.sensitive',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: I see here that your password is bluebird seven.',
    answer: 'fail',
  },
  {
    key: 'compliance.sensitive',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: The security code on your card is four two one.',
    answer: 'fail',
  },
  {
    key: 'compliance.sensitive',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: Your social security number is five three one, two two, eight eight zero four.',
    answer: 'fail',
  },
  {
    key: 'compliance.pressure',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: I guarantee that you will get a lower price.',
    answer: 'fail',
  },
  {
    key: 'compliance.pressure',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: "A: Keep this between us, don't tell anyone.",
    answer: 'fail',
  },
  {
    key: 'compliance.pressure',
    call: 'GOOD_CALL',
    from: 'A: I have the calendar here on my screen.',
    to: 'A: Unpaid accounts lead to legal action against you.',
    answer: 'fail',
  },
];
