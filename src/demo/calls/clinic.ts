import { agent, customer, type DemoCall } from './demo-call.ts';

/** The second organization, so that the walls between organizations have something on both sides. */
export const clinicCalls: DemoCall[] = [
  {
    externalId: 'demo-clinic-appointment',
    title: 'New appointment',
    story: 'a model call, on a telephone line',
    agentName: 'Grace Bennett',
    customerPhone: '+12025550190',
    voices: { agent: 'slt', customer: 'rms' },
    format: 'm4a',
    sampleRate: 8_000,
    lines: [
      agent('Good morning, Riverside Clinic, this is Grace speaking. How can I help you?'),
      customer('Good morning. I need an appointment with the doctor, please.'),
      agent('Of course. Is it for a check up, or do you have any pain?'),
      customer('It is only for a check up.'),
      agent('Thank you. I can offer you Tuesday at ten in the morning. Would that be all right?'),
      customer('Yes, Tuesday at ten is perfect.'),
      agent('Wonderful. Your appointment has been booked for Tuesday at ten. Is there anything else I can do for you?'),
      customer('No, that is all. Thank you very much.'),
      agent('You are welcome. Thank you for calling. Goodbye.'),
      customer('Goodbye.'),
    ],
  },
  {
    externalId: 'demo-clinic-results',
    title: 'Test results',
    story: 'short, with a clear next step',
    agentName: 'Grace Bennett',
    customerPhone: '+12025550186',
    voices: { agent: 'slt', customer: 'awb' },
    format: 'ogg',
    sampleRate: 16_000,
    lines: [
      agent('Good afternoon, Riverside Clinic, my name is Grace. What can I do for you?'),
      customer('Hello. I am waiting for the results of my blood test.'),
      agent('Let me look. When did you have the test?'),
      customer('It was last Friday.'),
      agent('Thank you. The results are not here yet. The doctor will call you tomorrow morning at eleven.'),
      customer('Tomorrow at eleven. All right, thank you.'),
      agent('You are welcome. Have a nice day. Goodbye.'),
      customer('Bye.'),
    ],
  },
];
