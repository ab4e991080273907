import {
  clarityCheck,
  closingCategory,
  greetingCategory,
  holdCheck,
  listeningCheck,
  noticeRule,
  pressureRule,
  professionalismCategory,
  sensitiveRule,
} from './common-checks.ts';
import { byModel, byPhrase, category, createTemplate, type Words, type WrittenCategory } from './template.ts';

/** A technical support call: understand the problem, try solutions step by step, check the result. */
export const supportTemplate = createTemplate(
  {
    key: 'support',
    name: 'Technical support call',
    description: 'Greeting, diagnosis with empathy, guided solution that is checked, and closing of a support call.',
  },
  (words) => ({
    categories: [
      greetingCategory(words),
      diagnosisCategory(words),
      solutionCategory(words),
      professionalismCategory(words, 15, [listeningCheck, holdCheck, clarityCheck]),
      closingCategory(words, 10, { asksForMore: true }),
    ],
    compliance: [sensitiveRule, pressureRule, noticeRule(words, { severity: 'low', enabled: true, seconds: 60 })],
  }),
);

function diagnosisCategory(words: Words): WrittenCategory {
  return category('diagnosis', 'Diagnosis', 25, [
    {
      ...byPhrase('diagnosis.acknowledged', 'Acknowledges the problem', 2),
      ...words.of('acknowledgements', 'empathy'),
    },
    { ...byPhrase('diagnosis.empathy', 'Shows empathy', 2), ...words.of('empathy') },
    { ...byPhrase('diagnosis.questions', 'Asks about the problem', 3), ...words.of('clarifications') },
  ]);
}

function solutionCategory(words: Words): WrittenCategory {
  return category('solution', 'Solution', 35, [
    { ...byPhrase('solution.steps', 'Guides the customer step by step', 2), ...words.of('steps') },
    {
      ...byPhrase('solution.checked', 'Checks that it works', 3),
      where: { part: 'secondHalf' },
      ...words.of('checks'),
      elsewhere: 'partial',
    },
    {
      ...byModel('solution.resolved', 'Resolves the problem', 5),
      question:
        'Does the agent say that the problem is solved? Partial for a clear next step with an owner; not applicable when the customer asks for nothing.',
      detector: 'resolved',
    },
    {
      ...byPhrase('solution.ticket', 'Gives a ticket number or confirmation', 2),
      ...words.of('tickets'),
      appliesWhen: { kind: 'answer', check: 'solution.resolved', answers: ['partial', 'fail'] },
    },
    {
      ...byModel('solution.accepted', 'The customer accepts', 2),
      question: 'Does the customer accept at the end and not object afterwards? Partial with a reservation.',
      detector: 'accepted',
    },
  ]);
}
