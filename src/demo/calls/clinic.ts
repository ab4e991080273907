import { agent, customer, type DemoCall } from './demo-call.ts';

/** The second organization, which shows that organizations are isolated from each other. */
export const clinicCalls: DemoCall[] = [
  {
    externalId: 'demo-clinic-appointment',
    title: 'New appointment',
    story: 'a good call, as a telephone line sounds',
    agentName: 'Thomas Bennett',
    customerPhone: '+12025550190',
    voices: { agent: 'rms', customer: 'awb' },
    format: 'm4a',
    sampleRate: 8_000,
    lines: [
      agent('Good morning, Riverside Clinic, my name is Thomas. How can I help you?'),
      customer('Good morning. I need an appointment with the doctor, please.'),
      agent('Of course. Is it for a check up, or do you have any pain?'),
      customer('It is only for a check up.'),
      agent('Thank you. I can offer you Tuesday morning at ten. Would that be all right?'),
      customer('Yes, Tuesday at ten is perfect.'),
      agent('Wonderful. Your appointment has been confirmed for Tuesday morning at ten.'),
      agent('Is there anything else I can do for you?', 800),
      customer('No, that is all. Thank you very much.'),
      agent('You are welcome. Thank you for calling. Have a nice day. Goodbye.'),
    ],
  },
  {
    externalId: 'demo-clinic-results',
    title: 'Test results',
    story: 'not done yet, but with a clear next step',
    agentName: 'Thomas Bennett',
    customerPhone: '+12025550186',
    voices: { agent: 'rms', customer: 'slt' },
    format: 'ogg',
    sampleRate: 16_000,
    lines: [
      agent('Good afternoon, Riverside Clinic, my name is Thomas. What can I do for you?'),
      customer('Hello. I am waiting for the results of my blood test.'),
      agent('Let me look. When did you have the test?'),
      customer('It was last Friday.'),
      agent('Thank you. The results are not here yet. I will call you back tomorrow morning at eleven.'),
      customer('Tomorrow at eleven. All right, thank you.'),
      agent('You are welcome. Have a nice day. Goodbye.'),
      customer('Goodbye.'),
    ],
  },
];
