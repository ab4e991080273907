import { z } from 'zod';

export const firstStepKeys = ['organization', 'project', 'call', 'invite', 'key'] as const;
export type FirstStepKey = (typeof firstStepKeys)[number];

const key = z.enum(firstStepKeys);

export const FirstSteps = z.object({
  steps: z.array(z.object({ key, state: z.enum(['open', 'done', 'skipped']) })),
  isDismissed: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

/** `open` takes a skipped or confirmed step up again. */
export const SettleFirstStepInput = z.strictObject({ key, as: z.enum(['confirmed', 'skipped', 'open']) });
export type SettleFirstStepInput = z.infer<typeof SettleFirstStepInput>;

export const DismissFirstStepsInput = z.strictObject({ isDismissed: z.boolean() });
export type DismissFirstStepsInput = z.infer<typeof DismissFirstStepsInput>;
