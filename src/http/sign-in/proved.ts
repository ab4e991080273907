import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { z } from 'zod';
import type { SignInStep } from '../../domain/accounts/service.ts';
import { isMarked, markBrowser } from './own-browser.ts';

/** What somebody has proved in a sign-in that is not complete. Kept with it on our side, never in the browser. */
const Proved = z.object({
  userId: z.string(),
  /** Of the password that was checked (`PasswordResult`). */
  version: z.string(),
  at: z.number(),
  /** Of the mark that the browser got for it. */
  browser: z.string(),
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

/** Null if nothing was proved, too long ago, or in another browser. */
export function provedIn({ uid, result }: Interaction, cookies: string | undefined): Proved | null {
  const { data } = Proved.safeParse(result?.['proved']);
  if (data === undefined || Date.now() - data.at >= lifetimeMs) return null;
  return isMarked(cookies, { uid, browser: data.browser }) ? data : null;
}

type Begun = {
  req: FastifyRequest;
  reply: FastifyReply;
  proved: Pick<Proved, 'userId' | 'version'>;
  step: Exclude<SignInStep, 'done'>;
  action: string;
  origin: string;
};

/** The password was right, and more is needed. */
export async function beginSecondStep(
  provider: Provider,
  { req, reply, proved, step, action, origin }: Begun,
): Promise<FastifyReply> {
  const interaction = await provider.interactionDetails(req.raw, reply.raw);
  const browser = markBrowser(reply, { uid: interaction.uid, origin });
  await keepProved(interaction, { ...proved, browser, at: Date.now(), isComplete: false });
  return reply.redirect(`${action}/${step === 'code' ? 'code' : 'security'}`, 303);
}
