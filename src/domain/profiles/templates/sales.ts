import type { z } from 'zod';
import type { Condition } from '../../../model/checks.ts';
import {
  closingCategory,
  holdCheck,
  noticeRule,
  openingChecks,
  pressureRule,
  professionalismCategory,
  sensitiveRule,
} from './common-checks.ts';
import { byPhrase, category, createTemplate, type Words, type WrittenCategory, type WrittenRule } from './template.ts';

type WrittenCondition = z.input<typeof Condition>;

/** A sales call: need, price, terms, closing, and what the law requires. */
export const salesTemplate = createTemplate(
  {
    key: 'sales',
    name: 'Sales call',
    description: 'Opening, needs, offer with price and terms, and a fair close of a sales call.',
  },
  (words) => ({
    categories: [
      openingCategory(words),
      discoveryCategory(words),
      offerCategory(words),
      professionalismCategory(words, 15, [holdCheck]),
      closingCategory(words, 10, { asksForMore: false }),
    ],
    compliance: [
      noticeRule(words, { severity: 'medium', enabled: true, seconds: 60 }),
      ...disclosureRules(words),
      pressureRule,
      sensitiveRule,
    ],
  }),
);

function openingCategory(words: Words): WrittenCategory {
  const opening = openingChecks(words, 'opening');
  return category('opening', 'Opening', 20, [
    opening.opens,
    opening.company,
    opening.name,
    {
      ...byPhrase('opening.reason', 'Gives the reason for the call', 3),
      where: { part: 'firstTurns', turns: 4 },
      ...words.of('callReasons'),
      exemptions: ['midCallStart', 'needStatedFirst'],
    },
    {
      ...byPhrase('opening.time', 'Asks whether the customer has time', 1),
      where: { part: 'firstTurns', turns: 5 },
      ...words.of('timeQuestions'),
      exemptions: ['midCallStart'],
      appliesWhen: { kind: 'answer', check: 'opening.reason', answers: ['pass'] },
    },
  ]);
}

function discoveryCategory(words: Words): WrittenCategory {
  const appliesWhen = isWelcome(words);
  return category('discovery', 'Needs', 25, [
    {
      ...byPhrase('discovery.needs', 'Asks what the customer needs', 3),
      ...words.of('needQuestions'),
      appliesWhen,
    },
    {
      key: 'discovery.share',
      title: 'Lets the customer talk',
      weight: 2,
      kind: 'metric',
      limits: [{ metric: 'agentTalkPercent', pass: { max: 70 }, partial: { max: 80 } }],
      exemptions: ['unknownSpeakers', 'noCustomerSpeech'],
      appliesWhen,
    },
  ]);
}

function offerCategory(words: Words): WrittenCategory {
  const appliesWhen = isWelcome(words);
  return category('offer', 'Offer', 30, [
    {
      ...byPhrase('offer.benefit', 'Explains the benefit for the customer', 2),
      ...words.of('benefits'),
      appliesWhen,
    },
    { ...byPhrase('offer.price', 'Names the price', 3), ...words.of('prices'), appliesWhen },
    { ...byPhrase('offer.terms', 'Names the term of the contract', 2), ...words.of('terms'), appliesWhen },
    { ...byPhrase('offer.close', 'Asks for the order', 2), ...words.of('closingQuestions'), appliesWhen },
  ]);
}

/** People who ask not to be called must not be sold anything. */
function isWelcome(words: Words): WrittenCondition {
  return { kind: 'phrase', role: 'customer', expect: 'absent', ...words.of('stopRequests') };
}

function disclosureRules(words: Words): WrittenRule[] {
  const appliesWhen: WrittenCondition = { kind: 'answer', check: 'offer.close', answers: ['pass'] };
  const rule = (key: string, title: string) => ({ key, title, severity: 'high', kind: 'phrase' }) as const;
  return [
    {
      ...rule('compliance.price', 'The price is disclosed before the order'),
      expect: 'present',
      ...words.of('prices'),
      appliesWhen,
    },
    {
      ...rule('compliance.cancellation', 'The right to cancel is explained'),
      expect: 'present',
      ...words.of('cancellationRights'),
      appliesWhen,
    },
    {
      ...rule('compliance.doNotCall', 'The wish not to be called is confirmed'),
      expect: 'present',
      ...words.of('stopConfirmations'),
      appliesWhen: { kind: 'phrase', role: 'customer', ...words.of('stopRequests') },
    },
    {
      ...rule('compliance.urgency', 'No invented urgency'),
      severity: 'medium',
      expect: 'absent',
      ignoreNegated: true,
      ...words.of('urgency'),
    },
  ];
}
