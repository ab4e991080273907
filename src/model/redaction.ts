import { z } from 'zod';

export const RedactionKind = z.enum([
  'card_number',
  'card_expiry',
  'security_code',
  'pin',
  'password',
  'national_id',
  'phone_number',
  'email',
  'date_of_birth',
  'iban',
  'bank_account',
  'address',
  'name',
]);
export type RedactionKind = z.infer<typeof RedactionKind>;

/** What replaces the words in a transcript. */
export const placeholders: Record<RedactionKind, string> = {
  card_number: '[card number]',
  card_expiry: '[card expiry]',
  security_code: '[security code]',
  pin: '[PIN]',
  password: '[password]',
  national_id: '[national id]',
  phone_number: '[phone number]',
  email: '[e-mail address]',
  date_of_birth: '[date of birth]',
  iban: '[IBAN]',
  bank_account: '[account number]',
  address: '[address]',
  name: '[name]',
};

/** Matches exactly the placeholders, as part of a regular expression. */
export const placeholderPattern = String.raw`\[(?:${Object.values(placeholders)
  .map((text) => text.slice(1, -1))
  .join('|')})\]`;

const kinds = new Map(Object.entries(placeholders).map(([kind, text]) => [text, RedactionKind.parse(kind)]));

export function kindOfPlaceholder(text: string): RedactionKind | null {
  return kinds.get(text) ?? null;
}

/** How much is redacted: nothing, personal data, or also the names of customers. */
const depths = ['none', 'data', 'names'] as const;
export type RedactionDepth = (typeof depths)[number];

export function isShallower(depth: RedactionDepth, than: RedactionDepth): boolean {
  return depths.indexOf(depth) < depths.indexOf(than);
}

/** The redaction that a transcript had. */
export function depthOf({
  redactions,
  namesRedacted,
}: {
  redactions: readonly Redaction[] | null;
  namesRedacted: boolean;
}): RedactionDepth {
  if (redactions === null) return 'none';
  return namesRedacted ? 'names' : 'data';
}

/** Where something was removed from a transcript. The words themselves are stored nowhere. */
export const Redaction = z
  .object({
    kind: RedactionKind,
    segmentId: z.string().meta({ description: 'The segment that has a placeholder for it.' }),
    startMs: z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' }),
    endMs: z.int().nonnegative(),
  })
  .meta({
    id: 'Redaction',
    description: 'One stretch that was taken out. Without word times it is as long as its segment.',
  });
export type Redaction = z.infer<typeof Redaction>;
