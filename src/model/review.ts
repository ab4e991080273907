import { z } from 'zod';

export const reviewStatuses = ['submitted', 'disputed', 'resolved'] as const;
export const ReviewStatus = z.enum(reviewStatuses).meta({
  id: 'ReviewStatus',
  description: '`submitted → disputed → resolved`; a further revision of a resolved review is `submitted` again.',
});

export const disputeOutcomes = ['accepted', 'partially_accepted', 'rejected'] as const;
export const DisputeOutcome = z.enum(disputeOutcomes).meta({ id: 'DisputeOutcome' });
