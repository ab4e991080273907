import {
  clarityCheck,
  closingChecks,
  courtesyCheck,
  greetingCategory,
  holdCheck,
  listeningCheck,
  noticeRule,
  pressureRule,
  respectCheck,
  sensitiveRule,
} from './common-checks.ts';
import { createTemplate, type Words, type WrittenCategory } from './template.ts';

/** A technical support call: understand the problem, try solutions step by step, check the result. */
export const supportTemplate = createTemplate(
  {
    key: 'support',
    name: 'Technical support call',
    description: 'Greeting, diagnosis with empathy, guided solution that is checked, and closing of a support call.',
    createdAt: new Date('2026-11-21T00:00:00.000Z'),
  },
  (words) => {
    const closing = closingChecks(words);
    return {
      categories: [
        greetingCategory(words),
        diagnosisCategory(words),
        solutionCategory(words),
        {
          key: 'professionalism',
          title: 'Professionalism',
          weight: 15,
          checks: [courtesyCheck(words), respectCheck, listeningCheck, holdCheck, clarityCheck],
        },
        { key: 'closing', title: 'Closing', weight: 10, checks: [closing.more, closing.thanks, closing.farewell] },
      ],
      compliance: [sensitiveRule, pressureRule, noticeRule(words, { severity: 'low', enabled: true, seconds: 60 })],
    };
  },
);

function diagnosisCategory(words: Words): WrittenCategory {
  return {
    key: 'diagnosis',
    title: 'Diagnosis',
    weight: 25,
    checks: [
      {
        key: 'diagnosis.acknowledged',
        title: 'Acknowledges the problem',
        weight: 2,
        kind: 'phrase',
        ...words.of('acknowledgements', 'empathy'),
      },
      {
        key: 'diagnosis.empathy',
        title: 'Shows empathy',
        weight: 2,
        kind: 'phrase',
        ...words.of('empathy'),
      },
      {
        key: 'diagnosis.questions',
        title: 'Asks about the problem',
        weight: 3,
        kind: 'phrase',
        ...words.of('clarifications'),
      },
    ],
  };
}

function solutionCategory(words: Words): WrittenCategory {
  return {
    key: 'solution',
    title: 'Solution',
    weight: 35,
    checks: [
      {
        key: 'solution.steps',
        title: 'Guides the customer step by step',
        weight: 2,
        kind: 'phrase',
        ...words.of('steps'),
      },
      {
        key: 'solution.checked',
        title: 'Checks that it works',
        weight: 3,
        kind: 'phrase',
        where: { part: 'secondHalf' },
        ...words.of('checks'),
        elsewhere: 'partial',
      },
      {
        key: 'solution.resolved',
        title: 'Resolves the problem',
        weight: 5,
        kind: 'model',
        question:
          'Does the agent say that the problem is solved? Partial for a clear next step with an owner; not applicable when the customer asks for nothing.',
        detector: 'resolved',
      },
      {
        key: 'solution.ticket',
        title: 'Gives a ticket number or confirmation',
        weight: 2,
        kind: 'phrase',
        ...words.of('tickets'),
        appliesWhen: { kind: 'answer', check: 'solution.resolved', answers: ['partial', 'fail'] },
      },
      {
        key: 'solution.accepted',
        title: 'The customer accepts',
        weight: 2,
        kind: 'model',
        question: 'Does the customer accept at the end and not object afterwards? Partial with a reservation.',
        detector: 'accepted',
      },
    ],
  };
}
