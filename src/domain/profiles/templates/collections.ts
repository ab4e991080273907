import {
  closingChecks,
  courtesyCheck,
  noticeRule,
  openingChecks,
  pressureRule,
  respectCheck,
  sensitiveRule,
} from './common-checks.ts';
import { createTemplate, type Words, type WrittenCategory, type WrittenRule } from './template.ts';

/** A call about a debt: right person, the disclosure that the law requires, no threats. */
export const collectionsTemplate = createTemplate(
  {
    key: 'collections',
    name: 'Collections call',
    description: 'Identity, disclosure, the debt, a fair arrangement and respect in a call about an overdue payment.',
    createdAt: new Date('2026-11-21T00:00:00.000Z'),
  },
  (words) => {
    const closing = closingChecks(words);
    return {
      categories: [
        openingCategory(words),
        accountCategory(words),
        arrangementCategory(words),
        {
          key: 'professionalism',
          title: 'Professionalism',
          weight: 15,
          checks: [courtesyCheck(words), respectCheck],
        },
        { key: 'closing', title: 'Closing', weight: 5, checks: [closing.thanks, closing.farewell] },
      ],
      compliance: [
        ...debtRules(words),
        { ...pressureRule, severity: 'high' },
        sensitiveRule,
        noticeRule(words, { severity: 'medium', enabled: true, seconds: 60 }),
      ],
    };
  },
);

function openingCategory(words: Words): WrittenCategory {
  const opening = openingChecks(words, 'opening');
  return {
    key: 'opening',
    title: 'Opening',
    weight: 20,
    checks: [
      opening.opens,
      opening.company,
      opening.name,
      {
        key: 'opening.identity',
        title: 'Verifies the identity of the customer',
        weight: 3,
        kind: 'phrase',
        where: { part: 'firstHalf' },
        ...words.of('identityChecks'),
        exemptions: ['midCallStart'],
      },
    ],
  };
}

function accountCategory(words: Words): WrittenCategory {
  return {
    key: 'account',
    title: 'The debt',
    weight: 30,
    checks: [
      {
        key: 'account.amount',
        title: 'Names the debt',
        weight: 3,
        kind: 'phrase',
        ...words.of('debtAmounts'),
      },
      {
        key: 'account.situation',
        title: 'Asks about the situation of the customer',
        weight: 3,
        kind: 'phrase',
        ...words.of('hardshipQuestions'),
      },
    ],
  };
}

function arrangementCategory(words: Words): WrittenCategory {
  return {
    key: 'arrangement',
    title: 'Arrangement',
    weight: 30,
    checks: [
      {
        key: 'arrangement.plan',
        title: 'Offers an arrangement',
        weight: 3,
        kind: 'phrase',
        ...words.of('paymentPlans'),
        appliesWhen: { kind: 'phrase', role: 'customer', expect: 'absent', ...words.of('disputes') },
      },
      {
        key: 'arrangement.recap',
        title: 'Repeats what is agreed',
        weight: 3,
        kind: 'phrase',
        ...words.of('paymentRecaps'),
        appliesWhen: { kind: 'answer', check: 'arrangement.plan', answers: ['pass'] },
      },
      {
        key: 'arrangement.dispute',
        title: 'Explains what happens to the dispute',
        weight: 3,
        kind: 'phrase',
        ...words.of('disputeRights'),
        appliesWhen: { kind: 'phrase', role: 'customer', ...words.of('disputes') },
      },
    ],
  };
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
