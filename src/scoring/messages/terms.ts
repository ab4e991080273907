import type { SlightKind } from '../lexicon/accusations/accusation-book.ts';

/** Titles of checks and rules of the built-in profiles that reports word in other languages than their own. */
export const STANDARD_TITLES = [
  'Greets the customer',
  'Names the company or department',
  'Gives their own name',
  'Asks how they can help',
  'Makes sure of the need',
  'Confirms the details',
  'Resolves the request',
  'The customer accepts',
  'Is courteous throughout',
  'Treats the customer with respect',
  'Lets the customer speak',
  'Announces silences',
  'Speaks at a clear pace',
  'Asks what else is needed',
  'Thanks the customer',
  'Says goodbye',
  'No sensitive data read aloud',
  'No threats, guarantees or secrecy',
  'The recording is announced',
] as const;
export type StandardTitle = (typeof STANDARD_TITLES)[number];

/** Those whose answer tells that something was said, or not, in a part of the call. */
export type SpokenTitle = Extract<
  StandardTitle,
  | 'Greets the customer'
  | 'Asks how they can help'
  | 'Is courteous throughout'
  | 'Asks what else is needed'
  | 'Thanks the customer'
  | 'Says goodbye'
  | 'The recording is announced'
>;

/** A check as two sentences without their stop, with the part of the call in which it was looked for. */
export type Deed = { met: (where: string) => string; missed: (where: string) => string };
export type Described = { title: string; role: 'agent' | 'customer' | 'anyone' };

/** What the agent says that presses the customer. */
export type PressureKind = 'threat' | 'consequence' | 'guarantee' | 'secrecy' | 'urgency';
export type SecretKind = 'card' | 'code' | 'nationalId' | 'password';
export type DetailKind = 'amount' | 'date' | 'time' | 'address' | 'number' | 'email' | 'name';
export type OpeningPart = 'opens' | 'company' | 'name' | 'offer';
export type ClosingPart = 'more' | 'thanks' | 'farewell';
export type BySlight = Record<SlightKind, string>;
export type Speaking = 'agent' | 'customer';

/** Checks that have a second opinion. */
export type WeighedKey =
  | 'greeting.opens'
  | 'greeting.company'
  | 'greeting.name'
  | 'greeting.offer'
  | 'problem.understood'
  | 'problem.details'
  | 'problem.resolved'
  | 'problem.accepted'
  | 'professionalism.courtesy'
  | 'professionalism.respect'
  | 'closing.more'
  | 'closing.thanks'
  | 'closing.farewell';
/** The checks of the standard rubric. */
export type StandardKey = WeighedKey | 'professionalism.listening' | 'professionalism.hold' | 'professionalism.clarity';

export function isStandardTitle(title: string): title is StandardTitle {
  return (STANDARD_TITLES as readonly string[]).includes(title);
}
