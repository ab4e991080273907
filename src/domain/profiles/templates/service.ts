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
import { byModel, category, createTemplate } from './template.ts';

const problemResolution = category('problemResolution', 'Problem resolution', 40, [
  {
    ...byModel('problem.understood', 'Makes sure of the need', 3),
    question:
      'Does the agent ask a clarifying question about the need, or restate it, before acting? Not applicable when the need is fully clear and met at once.',
    detector: 'understood',
  },
  {
    ...byModel('problem.details', 'Confirms the details', 2),
    question:
      'Are the details that decide the outcome (amount, date, time, address, number) read back or confirmed by the agent? Partial when only some are; not applicable when there are none.',
    detector: 'details',
  },
  {
    ...byModel('problem.resolved', 'Resolves the request', 5),
    question:
      'Does the agent say that it is done, or give what was asked? Partial for a clear next step with an owner but no result; not applicable when the customer asks for nothing.',
    detector: 'resolved',
  },
  {
    ...byModel('problem.accepted', 'The customer accepts', 2),
    question:
      'Does the customer accept at the end and not object afterwards? Partial with a reservation; not applicable when the customer leaves no chance to tell.',
    detector: 'accepted',
  },
]);

/** The standard rubric, with which every new organization starts. */
export const serviceTemplate = createTemplate(
  {
    key: 'service',
    name: 'Standard service call',
    description: 'Greeting, problem resolution, professionalism and closing of a service call.',
  },
  (words) => ({
    categories: [
      greetingCategory(words),
      problemResolution,
      professionalismCategory(words, 30, [listeningCheck, holdCheck, clarityCheck]),
      closingCategory(words, 15, { asksForMore: true }),
    ],
    compliance: [sensitiveRule, pressureRule, noticeRule(words, { severity: 'low', enabled: false, seconds: 30 })],
  }),
);
