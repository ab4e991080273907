import { GrantCreditsInput } from '../domain/billing/schemas.ts';
import { grantCredits } from '../domain/billing/service.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

type GrantFlags = { org: string; type: string; amount: string; description: string };

/** Throws NOT_FOUND (organization). */
export async function addCredits(session: Session, { org, type, amount, description }: GrantFlags): Promise<Result> {
  const input = GrantCreditsInput.parse({ orgId: org, type, amount, description });
  const entry = await grantCredits(await session.database(), input);
  const text = table([
    ['Entry', entry.id],
    ['Amount', String(entry.amount)],
    ['Balance', String(entry.balance)],
  ]);
  return { data: { orgId: org, ...entry }, text };
}
