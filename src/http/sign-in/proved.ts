import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { z } from 'zod';
import type { SignInStep } from '../../domain/accounts/service.ts';

/** What somebody has proved in a sign-in that is not complete. Kept with it on our side, never in the browser. */
const Proved = z.object({
  userId: z.string(),
  /** Of the password that was checked (`PasswordResult`). */
  version: z.string(),
  at: z.number(),
  /** Whether a second factor was set up in this sign-in, which proves it too. */
  isComplete: z.boolean(),
});
export type Proved = z.infer<typeof Proved>;

const lifetimeMs = 10 * 60_000;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export async function keepProved(interaction: Interaction, proved: Proved): Promise<void> {
  interaction.result = { proved };
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
}

/** Null if nothing was proved, or too long ago. */
export function provedIn({ result }: Interaction): Proved | null {
  const { data } = Proved.safeParse(result?.['proved']);
  return data !== undefined && Date.now() - data.at < lifetimeMs ? data : null;
}

type Begun = {
  req: FastifyRequest;
  reply: FastifyReply;
  proved: Pick<Proved, 'userId' | 'version'>;
  step: Exclude<SignInStep, 'done'>;
  action: string;
};

/** The password was right, and more is needed. */
export async function beginSecondStep(
  provider: Provider,
  { req, reply, proved, step, action }: Begun,
): Promise<FastifyReply> {
  const interaction = await provider.interactionDetails(req.raw, reply.raw);
  await keepProved(interaction, { ...proved, at: Date.now(), isComplete: false });
  return reply.redirect(`${action}/${step === 'code' ? 'code' : 'security'}`, 303);
}
