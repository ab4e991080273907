import {
  closingCategory,
  noticeRule,
  openingChecks,
  pressureRule,
  professionalismCategory,
  sensitiveRule,
} from './common-checks.ts';
import { byPhrase, category, createTemplate, type Words, type WrittenCategory, type WrittenRule } from './template.ts';

/** A call about a debt: right person, the disclosure that the law requires, no threats. */
export const collectionsTemplate = createTemplate(
  {
    key: 'collections',
    name: 'Collections call',
    description: 'Identity, disclosure, the debt, a fair arrangement and respect in a call about an overdue payment.',
  },
  (words) => ({
    categories: [
      openingCategory(words),
      accountCategory(words),
      arrangementCategory(words),
      professionalismCategory(words, 15, []),
      closingCategory(words, 5, { asksForMore: false }),
    ],
    compliance: [
      ...debtRules(words),
      { ...pressureRule, severity: 'high' },
      sensitiveRule,
      noticeRule(words, { severity: 'medium', enabled: true, seconds: 60 }),
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
      ...byPhrase('opening.identity', 'Verifies the identity of the customer', 3),
      where: { part: 'firstHalf' },
      ...words.of('identityChecks'),
      exemptions: ['midCallStart'],
    },
  ]);
}

function accountCategory(words: Words): WrittenCategory {
  return category('account', 'The debt', 30, [
    { ...byPhrase('account.amount', 'Names the debt', 3), ...words.of('debtAmounts') },
    {
      ...byPhrase('account.situation', 'Asks about the situation of the customer', 3),
      ...words.of('hardshipQuestions'),
    },
  ]);
}

function arrangementCategory(words: Words): WrittenCategory {
  return category('arrangement', 'Arrangement', 30, [
    {
      ...byPhrase('arrangement.plan', 'Offers an arrangement', 3),
      ...words.of('paymentPlans'),
      appliesWhen: { kind: 'phrase', role: 'customer', expect: 'absent', ...words.of('disputes') },
    },
    {
      ...byPhrase('arrangement.recap', 'Repeats what is agreed', 3),
      ...words.of('paymentRecaps'),
      appliesWhen: { kind: 'answer', check: 'arrangement.plan', answers: ['pass'] },
    },
    {
      ...byPhrase('arrangement.dispute', 'Explains what happens to the dispute', 3),
      ...words.of('disputeRights'),
      appliesWhen: { kind: 'phrase', role: 'customer', ...words.of('disputes') },
    },
  ]);
}

function debtRules(words: Words): WrittenRule[] {
  return [
    {
      key: 'compliance.disclosure',
      title: 'The purpose of the call is disclosed',
      severity: 'high',
      kind: 'phrase',
      expect: 'present',
      ...words.of('debtDisclosures'),
    },
    {
      key: 'compliance.threats',
      title: 'No threats about the debt',
      severity: 'high',
      kind: 'phrase',
      expect: 'absent',
      ignoreNegated: true,
      ...words.of('debtThreats'),
    },
  ];
}
