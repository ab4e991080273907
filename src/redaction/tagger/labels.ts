import type { RedactionKind } from '../../model/redaction.ts';

/**
 * What a word may be. `ending` is the last figures of a card or an id, which tell people apart and stay. All from `card` on is
 * taken out.
 */
export const LABELS = [
  'none',
  'ending',
  'card',
  'card_expiry',
  'card_code',
  'password',
  'code',
  'email',
  'phone',
  'national_id',
  'birth_date',
  'iban',
  'account',
  'address',
  'name',
] as const;
export type Label = (typeof LABELS)[number];

export const NONE = 0;
export const ENDING = 1;
export const FIRST_SECRET = 2;
export const NAME: number = LABELS.indexOf('name');

const KINDS: Record<Exclude<Label, 'none' | 'ending'>, RedactionKind> = {
  card: 'card_number',
  card_expiry: 'card_expiry',
  card_code: 'security_code',
  password: 'password',
  code: 'security_code',
  email: 'email',
  phone: 'phone_number',
  national_id: 'national_id',
  birth_date: 'date_of_birth',
  iban: 'iban',
  account: 'bank_account',
  address: 'address',
  name: 'name',
};

/** Null for what stays. */
export function kindOfLabel(label: number): RedactionKind | null {
  const name = LABELS[label] ?? 'none';
  return name === 'none' || name === 'ending' ? null : KINDS[name];
}

const OF_KINDS: Record<RedactionKind, Label> = {
  card_number: 'card',
  card_expiry: 'card_expiry',
  security_code: 'code',
  pin: 'password',
  password: 'password',
  national_id: 'national_id',
  phone_number: 'phone',
  email: 'email',
  date_of_birth: 'birth_date',
  iban: 'iban',
  bank_account: 'account',
  address: 'address',
  name: 'name',
};

export function labelOfKind(kind: RedactionKind): number {
  return LABELS.indexOf(OF_KINDS[kind]);
}
