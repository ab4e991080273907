import type { Sql } from 'postgres';
import { selectFactors } from './factor-queries.ts';

/** How somebody has proved so far who they are. A passkey verifies the person, so it counts as two factors. */
export type Proof = 'password' | 'passkey' | 'code';

/** With `code`, a passkey will do as well; it is the only way, beside recovery codes, for who has no app. */
export type SignInStep = 'done' | 'code' | 'set-up-second-factor';

type Proved = { userId: string; proofs: readonly Proof[] };

/**
 * What a person who has proved this much has to do before they are signed in. Passkeys are asked for only where a second
 * factor is demanded: otherwise they are one way to sign in among others.
 */
export async function nextStep(system: Sql, { userId, proofs }: Proved): Promise<SignInStep> {
  if (proofs.includes('passkey') || proofs.includes('code')) return 'done';
  const { hasTotp, passkeys, isNeeded } = await selectFactors(system, userId);
  if (hasTotp) return 'code';
  if (!isNeeded) return 'done';
  return passkeys > 0 ? 'code' : 'set-up-second-factor';
}
