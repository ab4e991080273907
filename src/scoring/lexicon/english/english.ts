import { ACCEPTANCES, OBJECTIONS, RESERVATIONS } from '../acceptance.ts';
import { CUSTOMER_ENDS, FAREWELLS, MORE_OFFERS, THANKS } from '../closing.ts';
import { GUARANTEES, PRESSURE_THREATS, SECRECY } from '../compliance.ts';
import { COURTESIES } from '../courtesy.ts';
import { HOLD_ANNOUNCEMENTS, HOLD_EXPLANATIONS } from '../hold.ts';
import { COMPANY_LEADS } from '../naming.ts';
import { INFORMATION_CUES, INTRODUCTIONS, NEED_CUES } from '../need.ts';
import { GREETINGS, OFFERS } from '../opening.ts';
import type { Phrasebook } from '../phrasebook.ts';
import { RESTATEMENTS } from '../questions.ts';
import { INSULT_PHRASES, PROFANITY } from '../respect.ts';
import { DONE_PHRASES, INFORMATION_PHRASES, NEXT_STEP_PHRASES } from '../results.ts';
import { collecting } from './collecting.ts';
import { helping } from './helping.ts';
import { selling } from './selling.ts';

export const english: Phrasebook = {
  ...selling,
  ...helping,
  ...collecting,
  greetings: GREETINGS,
  offers: OFFERS,
  names: ['my name is', 'this is', 'you are speaking to/with', 'speaking'],
  companies: COMPANY_LEADS,
  acknowledgements: RESTATEMENTS,
  empathy: [
    'i am * sorry',
    'i apologize/apologise',
    'my/our apologies',
    'sorry to hear',
    'sorry about/for the/that/this/your',
    'i understand how/why frustrating/annoying/upsetting/worrying/you',
    'i understand your frustration/concern/disappointment/worry/position/situation',
    'i can understand/imagine/see how/why/that',
    'i completely/totally/fully understand',
    'that must be/have',
    'that sounds frustrating/annoying/awful/stressful/difficult',
    'that is frustrating/annoying/awful/not good/acceptable',
    'i know how frustrating/annoying/important/worrying',
    'i appreciate how/that',
  ],
  clarifications: [
    'can/could/may you tell/describe/explain/show/give/confirm me/what/the/when/how/your',
    'can/could you please tell/describe/explain/show/give/confirm',
    'may i ask',
    'since when',
    'when did/does/do it/this/that/you/the',
    'what exactly/happens/happened/message/error/model/kind/type',
    'which one/model/device/product/account/order/plan/bill/part/version',
    'how long/often has/have/does/is/do',
    'have you already/tried',
    'do you mean',
    'is it/that right/correct that',
    'what does/do it/you the/see/say',
    'are you able to see/log/open',
  ],
  results: DONE_PHRASES,
  nextSteps: NEXT_STEP_PHRASES,
  information: INFORMATION_PHRASES,
  courtesies: COURTESIES,
  moreOffers: MORE_OFFERS,
  thanks: THANKS,
  farewells: FAREWELLS,
  holdAnnouncements: HOLD_ANNOUNCEMENTS,
  holdExplanations: HOLD_EXPLANATIONS,
  insults: INSULT_PHRASES,
  profanity: [...PROFANITY],
  threats: PRESSURE_THREATS,
  guarantees: GUARANTEES,
  secrecy: SECRECY,
  recordingNotices: [
    'call/calls/conversation/line is/are/may/will/might/being * recorded',
    'call/calls/conversation is/are/may/will/might be/being recorded',
    'recorded line',
    'recorded for',
    'recording this call/conversation',
    'record this call/conversation',
    'calls are recorded',
    'monitored or recorded',
    'recorded or monitored',
  ],
  needs: NEED_CUES,
  questions: INFORMATION_CUES,
  introductions: INTRODUCTIONS,
  acceptances: ACCEPTANCES,
  reservations: RESERVATIONS,
  objections: OBJECTIONS,
  leaveTakings: CUSTOMER_ENDS,
};
