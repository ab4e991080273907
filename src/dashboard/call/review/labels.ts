import type { Outputs } from '../../lib/trpc.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Review = Outputs['reviews']['get'];
export type ReviewEntry = Outputs['reviews']['history']['data'][number];
export type Verdict = Review['verdict'];
export type Outcome = NonNullable<ReviewEntry['outcome']>;

export const verdicts: Record<Verdict, { label: string; hint: string; tone: Tone }> = {
  approved: { label: 'Approved', hint: 'The automatic scores stand.', tone: 'good' },
  adjusted: { label: 'Adjusted', hint: 'The scores below replace them.', tone: 'accent' },
  rejected: { label: 'Rejected', hint: 'None of them stands.', tone: 'bad' },
};

export const outcomes: Record<Outcome, { label: string; tone: Tone }> = {
  accepted: { label: 'Dispute accepted', tone: 'good' },
  partially_accepted: { label: 'Dispute partially accepted', tone: 'warn' },
  rejected: { label: 'Dispute rejected', tone: 'bad' },
};
