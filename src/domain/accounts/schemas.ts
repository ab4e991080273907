import { z } from 'zod';

const ownersNeedSecondFactor = z.boolean();

export const SignInRules = z
  .object({
    ownersNeedSecondFactor: ownersNeedSecondFactor.meta({
      description:
        'Whether owners sign in with a passkey, or with a code beside their password. It counts for accounts of this service, from the next sign-in.',
    }),
  })
  .meta({ id: 'SignInRules' });
export type SignInRules = z.infer<typeof SignInRules>;

export const UpdateSignInRulesInput = z.strictObject({
  ownersNeedSecondFactor: ownersNeedSecondFactor
    .optional()
    .meta({ description: 'Whether owners need a second factor. To require it, have one yourself.' }),
});
