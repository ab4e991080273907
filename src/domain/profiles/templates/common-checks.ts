import type { z } from 'zod';
import { NOT_FAREWELLS, NOT_MORE_OFFERS, NOT_THANKS, THANKS, WISHES } from '../../../scoring/lexicon/closing.ts';
import { NOT_COURTESIES } from '../../../scoring/lexicon/courtesy.ts';
import type { Check } from '../../../model/checks.ts';
import { byModel, byPhrase, category, type Words, type WrittenCategory, type WrittenRule } from './template.ts';

type WrittenCheck = z.input<typeof Check>;

/** The opening of an inbound call. */
export function greetingCategory(words: Words): WrittenCategory {
  const { opens, company, name } = openingChecks(words, 'greeting');
  return category('greeting', 'Greeting', 15, [opens, company, name, offerCheck(words, 'greeting')]);
}

/** Checks that calls in every trade share, with the weights of the standard rubric. */
export function openingChecks(words: Words, prefix: string): Record<'opens' | 'company' | 'name', WrittenCheck> {
  return {
    opens: {
      ...byPhrase(`${prefix}.opens`, 'Greets the customer', 3),
      where: { part: 'firstTurns', turns: 2 },
      ...words.of('greetings'),
      exemptions: ['midCallStart'],
    },
    company: {
      ...byModel(`${prefix}.company`, 'Names the company or department', 2),
      question: 'Does the agent name the company or department in their first two turns?',
      detector: 'company',
    },
    name: {
      ...byModel(`${prefix}.name`, 'Gives their own name', 2),
      question: 'Does the agent say their own name in their first three turns?',
      detector: 'ownName',
    },
  };
}

function offerCheck(words: Words, prefix: string): WrittenCheck {
  return {
    ...byPhrase(`${prefix}.offer`, 'Asks how they can help', 3),
    where: { part: 'firstTurns', turns: 3 },
    ...words.of('offers'),
    exemptions: ['needStatedFirst', 'midCallStart'],
  };
}

function courtesyCheck(words: Words): WrittenCheck {
  return {
    ...byPhrase('professionalism.courtesy', 'Is courteous throughout', 2),
    where: { part: 'betweenGreetingAndClosing' },
    ...words.by((book, language) =>
      language === 'en'
        ? { phrases: [...book.courtesies], ignore: NOT_COURTESIES, elsewherePhrases: ENGLISH_COURTESIES_ELSEWHERE }
        : { phrases: [...book.courtesies], elsewherePhrases: [...book.thanks, ...book.farewells] },
    ),
    elsewhere: 'partial',
  };
}

const ENGLISH_COURTESIES_ELSEWHERE = [
  'thank you for calling/contacting/phoning/choosing',
  'thanks for calling/contacting/phoning/choosing',
  ...THANKS,
  ...WISHES,
  'how can/may/could i/we help',
  'what can/may i/we do/get/help',
];

const respectCheck: WrittenCheck = {
  ...byModel('professionalism.respect', 'Treats the customer with respect', 5),
  critical: true,
  question: 'Is the agent free of insults, profanity, sarcasm, blame and threats towards the customer?',
  detector: 'respect',
};

export const listeningCheck: WrittenCheck = {
  key: 'professionalism.listening',
  title: 'Lets the customer speak',
  weight: 2,
  kind: 'metric',
  limits: [
    { metric: 'agentInterruptions', pass: { max: 2 }, partial: { max: 4 } },
    { metric: 'agentOverlapPercent', pass: { below: 5 }, partial: { below: 10 } },
  ],
  exemptions: ['unknownSpeakers', 'noCustomerSpeech'],
};

export const holdCheck: WrittenCheck = {
  ...byModel('professionalism.hold', 'Announces silences', 1),
  question: 'Is every silence of more than 15 seconds inside the conversation announced before or explained after?',
  detector: 'hold',
};

export const clarityCheck: WrittenCheck = {
  key: 'professionalism.clarity',
  title: 'Speaks at a clear pace',
  weight: 1,
  kind: 'metric',
  limits: [{ metric: 'agentWordsPerMinute', pass: { min: 90, max: 190 }, partial: { min: 76.5, max: 218.5 } }],
  agentTalkSecondsMin: 20,
};

/** `measured`: checks of how the agent speaks, besides courtesy and respect. */
export function professionalismCategory(words: Words, weight: number, measured: WrittenCheck[]): WrittenCategory {
  return category('professionalism', 'Professionalism', weight, [courtesyCheck(words), respectCheck, ...measured]);
}

/** Thanks and a farewell, after asking what else is needed if the trade does. */
export function closingCategory(
  words: Words,
  weight: number,
  { asksForMore }: { asksForMore: boolean },
): WrittenCategory {
  const said = (concept: 'moreOffers' | 'thanks' | 'farewells', ignore: string[]) =>
    words.by((book, language) => ({ phrases: [...book[concept]], ...(language === 'en' && { ignore }) }));
  const more: WrittenCheck = {
    ...byPhrase('closing.more', 'Asks what else is needed', 2),
    where: { part: 'secondHalf' },
    ...said('moreOffers', NOT_MORE_OFFERS),
    exemptions: ['customerEndsFirst'],
  };
  const thanks: WrittenCheck = {
    ...byPhrase('closing.thanks', 'Thanks the customer', 2),
    where: { part: 'lastTurns', turns: 3 },
    ...said('thanks', NOT_THANKS),
    exemptions: ['noChanceToClose'],
  };
  const farewell: WrittenCheck = {
    ...byPhrase('closing.farewell', 'Says goodbye', 2),
    where: { part: 'lastTurns', turns: 3 },
    ...said('farewells', NOT_FAREWELLS),
    exemptions: ['noChanceToClose'],
  };
  return category('closing', 'Closing', weight, asksForMore ? [more, thanks, farewell] : [thanks, farewell]);
}

export const sensitiveRule: WrittenRule = {
  key: 'compliance.sensitive',
  title: 'No sensitive data read aloud',
  severity: 'high',
  kind: 'model',
  question: 'Does the agent avoid reading a full card number, security code, national id or password aloud?',
  detector: 'sensitiveData',
};

export const pressureRule: WrittenRule = {
  key: 'compliance.pressure',
  title: 'No threats, guarantees or secrecy',
  severity: 'medium',
  kind: 'model',
  question:
    'Does the agent avoid threats, guarantees that the company cannot give, and requests to keep the call secret?',
  detector: 'pressure',
};

export function noticeRule(
  words: Words,
  { severity, enabled, seconds }: { severity: 'low' | 'medium' | 'high'; enabled: boolean; seconds: number },
): WrittenRule {
  return {
    key: 'compliance.notice',
    title: 'The recording is announced',
    severity,
    enabled,
    kind: 'phrase',
    role: 'anyone',
    where: { part: 'firstSeconds', seconds },
    expect: 'present',
    ...words.of('recordingNotices'),
  };
}
