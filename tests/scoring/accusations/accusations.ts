/** What an agent may be accused of, by the check or rule that does it. */
export const ACCUSING = {
  respect: 'professionalism.respect',
  pressure: 'compliance.pressure',
  sensitive: 'compliance.sensitive',
} as const;
export type Accusation = keyof typeof ACCUSING;

/** What an agent says in the middle of a call: built around strong words and harmless, or real in other words. */
export type Accusations = Record<'harmless' | 'real', Record<Accusation, readonly string[]>>;
