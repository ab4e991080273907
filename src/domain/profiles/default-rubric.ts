import {
  FAREWELLS,
  MORE_OFFERS,
  NOT_FAREWELLS,
  NOT_MORE_OFFERS,
  NOT_THANKS,
  THANKS,
  WISHES,
} from '../../scoring/lexicon/closing.ts';
import { COURTESIES, NOT_COURTESIES } from '../../scoring/lexicon/courtesy.ts';
import { GREETINGS, OFFERS } from '../../scoring/lexicon/opening.ts';
import { Rubric } from './rubric.ts';

const RECORDING_NOTICES = [
  'call/calls/conversation/line is/are/may/will/might/being * recorded',
  'call/calls/conversation is/are/may/will/might be/being recorded',
  'recorded line',
  'recorded for',
  'recording this call/conversation',
  'record this call/conversation',
  'calls are recorded',
  'monitored or recorded',
  'recorded or monitored',
];

/** `rubric.md`, check by check, as data: what every new organization starts with. */
export const defaultRubric: Rubric = Rubric.parse({
  categories: [
    {
      key: 'greeting',
      title: 'Greeting',
      weight: 15,
      checks: [
        {
          key: 'greeting.opens',
          title: 'Greets the customer',
          weight: 3,
          kind: 'phrase',
          where: { part: 'firstTurns', turns: 2 },
          phrases: GREETINGS,
          exemptions: ['midCallStart'],
        },
        {
          key: 'greeting.company',
          title: 'Names the company or department',
          weight: 2,
          kind: 'model',
          question: 'Does the agent name the company or department in their first two turns?',
          detector: 'company',
        },
        {
          key: 'greeting.name',
          title: 'Gives their own name',
          weight: 2,
          kind: 'model',
          question: 'Does the agent say their own name in their first three turns?',
          detector: 'ownName',
        },
        {
          key: 'greeting.offer',
          title: 'Asks how they can help',
          weight: 3,
          kind: 'phrase',
          where: { part: 'firstTurns', turns: 3 },
          phrases: OFFERS,
          exemptions: ['needStatedFirst', 'midCallStart'],
        },
      ],
    },
    {
      key: 'problemResolution',
      title: 'Problem resolution',
      weight: 40,
      checks: [
        {
          key: 'problem.understood',
          title: 'Makes sure of the need',
          weight: 3,
          kind: 'model',
          question:
            'Does the agent ask a clarifying question about the need, or restate it, before acting? Not applicable when the need is fully clear and met at once.',
          detector: 'understood',
        },
        {
          key: 'problem.details',
          title: 'Confirms the details',
          weight: 2,
          kind: 'model',
          question:
            'Are the details that decide the outcome (amount, date, time, address, number) read back or confirmed by the agent? Partial when only some are; not applicable when there are none.',
          detector: 'details',
        },
        {
          key: 'problem.resolved',
          title: 'Resolves the request',
          weight: 5,
          kind: 'model',
          question:
            'Does the agent say that it is done, or give what was asked? Partial for a clear next step with an owner but no result; not applicable when the customer asks for nothing.',
          detector: 'resolved',
        },
        {
          key: 'problem.accepted',
          title: 'The customer accepts',
          weight: 2,
          kind: 'model',
          question:
            'Does the customer accept at the end and not object afterwards? Partial with a reservation; not applicable when the customer leaves no chance to tell.',
          detector: 'accepted',
        },
      ],
    },
    {
      key: 'professionalism',
      title: 'Professionalism',
      weight: 30,
      checks: [
        {
          key: 'professionalism.courtesy',
          title: 'Is courteous throughout',
          weight: 2,
          kind: 'phrase',
          where: { part: 'betweenGreetingAndClosing' },
          phrases: COURTESIES,
          ignore: NOT_COURTESIES,
          elsewhere: 'partial',
          elsewherePhrases: [
            'thank you for calling/contacting/phoning/choosing',
            'thanks for calling/contacting/phoning/choosing',
            ...THANKS,
            ...WISHES,
            'how can/may/could i/we help',
            'what can/may i/we do/get/help',
          ],
        },
        {
          key: 'professionalism.respect',
          title: 'Treats the customer with respect',
          weight: 5,
          critical: true,
          kind: 'model',
          question: 'Is the agent free of insults, profanity, sarcasm, blame and threats towards the customer?',
          detector: 'respect',
        },
        {
          key: 'professionalism.listening',
          title: 'Lets the customer speak',
          weight: 2,
          kind: 'metric',
          limits: [
            { metric: 'agentInterruptions', pass: { max: 2 }, partial: { max: 4 } },
            { metric: 'agentOverlapPercent', pass: { below: 5 }, partial: { below: 10 } },
          ],
          exemptions: ['unknownSpeakers', 'noCustomerSpeech'],
        },
        {
          key: 'professionalism.hold',
          title: 'Announces silences',
          weight: 1,
          kind: 'model',
          question:
            'Is every silence of more than 15 seconds inside the conversation announced before or explained after?',
          detector: 'hold',
        },
        {
          key: 'professionalism.clarity',
          title: 'Speaks at a clear pace',
          weight: 1,
          kind: 'metric',
          limits: [{ metric: 'agentWordsPerMinute', pass: { min: 90, max: 190 }, partial: { min: 76.5, max: 218.5 } }],
          agentTalkSecondsMin: 20,
        },
      ],
    },
    {
      key: 'closing',
      title: 'Closing',
      weight: 15,
      checks: [
        {
          key: 'closing.more',
          title: 'Asks what else is needed',
          weight: 2,
          kind: 'phrase',
          where: { part: 'secondHalf' },
          phrases: MORE_OFFERS,
          ignore: NOT_MORE_OFFERS,
          exemptions: ['customerEndsFirst'],
        },
        {
          key: 'closing.thanks',
          title: 'Thanks the customer',
          weight: 2,
          kind: 'phrase',
          where: { part: 'lastTurns', turns: 3 },
          phrases: THANKS,
          ignore: NOT_THANKS,
          exemptions: ['noChanceToClose'],
        },
        {
          key: 'closing.farewell',
          title: 'Says goodbye',
          weight: 2,
          kind: 'phrase',
          where: { part: 'lastTurns', turns: 3 },
          phrases: FAREWELLS,
          ignore: NOT_FAREWELLS,
          exemptions: ['noChanceToClose'],
        },
      ],
    },
  ],
  compliance: [
    {
      key: 'compliance.sensitive',
      title: 'No sensitive data read aloud',
      severity: 'high',
      kind: 'model',
      question: 'Does the agent avoid reading a full card number, security code, national id or password aloud?',
      detector: 'sensitiveData',
    },
    {
      key: 'compliance.pressure',
      title: 'No threats, guarantees or secrecy',
      severity: 'medium',
      kind: 'model',
      question:
        'Does the agent avoid threats, guarantees that the company cannot give, and requests to keep the call secret?',
      detector: 'pressure',
    },
    {
      key: 'compliance.notice',
      title: 'The recording is announced',
      severity: 'low',
      enabled: false,
      kind: 'phrase',
      role: 'anyone',
      where: { part: 'firstSeconds', seconds: 30 },
      expect: 'present',
      phrases: RECORDING_NOTICES,
    },
  ],
});

/** The profile of a new organization. */
export const defaultProfile: { name: string; description: string; rubric: Rubric } = {
  name: 'Standard service call',
  description: 'Greeting, problem resolution, professionalism and closing of an English service call.',
  rubric: defaultRubric,
};
