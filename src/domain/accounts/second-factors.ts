import { randomUUID } from 'node:crypto';
import { isDeliverable } from '../../lib/mailbox.ts';
import type { Logger } from '../../lib/logger.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { renderLetter } from '../mail/service.ts';
import { checkCode, type CodeResult, type CodeSignIn } from './code-sign-in.ts';
import type { AccountParts } from './context.ts';
import * as factors from './factors.ts';
import { nextStep } from './next-step.ts';
import * as passkeys from './passkeys.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { changeRules, readRules } from './requirement.ts';
import * as totp from './totp.ts';

type Rest<F> = F extends (context: never, ...rest: infer R) => infer T ? (...rest: R) => T : never;
type AtSite<F> = F extends (context: never, ...rest: infer R) => infer T
  ? (site: passkeys.PasskeySite, ...rest: R) => T
  : never;

/** What people sign in with besides a password, and how they manage it. */
export type SecondFactors = {
  nextStep: Rest<typeof nextStep>;
  read: Rest<typeof factors.readFactors>;
  listPasskeys: Rest<typeof passkeys.listPasskeys>;
  renamePasskey: Rest<typeof passkeys.renamePasskey>;
  removePasskey: Rest<typeof factors.removePasskey>;
  beginTotp: Rest<typeof totp.beginTotp>;
  confirmTotp: Rest<typeof totp.confirmTotp>;
  switchOffTotp: Rest<typeof factors.switchOffTotp>;
  replaceRecoveryCodes: Rest<typeof replaceRecoveryCodes>;
  beginRegistration: AtSite<typeof passkeys.beginRegistration>;
  finishRegistration: AtSite<typeof passkeys.finishRegistration>;
  beginAuthentication: AtSite<typeof passkeys.beginAuthentication>;
  finishAuthentication: AtSite<typeof passkeys.finishAuthentication>;
  checkCode(signIn: CodeSignIn): Promise<CodeResult>;
  readRules: typeof readRules;
  changeRules: Rest<typeof changeRules>;
  /** Mails the person what has changed, where mail is configured. Never rejects. */
  tell(message: Message): Promise<void>;
};

export function createSecondFactors(parts: AccountParts & { secrets: SecretBox; log: Logger }): SecondFactors {
  const { system } = parts;
  return {
    nextStep: (proved) => nextStep(system, proved),
    read: (userId) => factors.readFactors(system, userId),
    listPasskeys: (userId) => passkeys.listPasskeys(system, userId),
    renamePasskey: (which) => passkeys.renamePasskey(system, which),
    removePasskey: (which) => factors.removePasskey(system, which),
    beginTotp: (who) => totp.beginTotp(parts, who),
    confirmTotp: (code) => totp.confirmTotp(parts, code),
    switchOffTotp: (who) => factors.switchOffTotp(system, who),
    replaceRecoveryCodes: (who) => replaceRecoveryCodes(system, who),
    beginRegistration: (site, holder) => passkeys.beginRegistration({ system, site }, holder),
    finishRegistration: (site, made) => passkeys.finishRegistration({ system, site }, made),
    beginAuthentication: (site, asked) => passkeys.beginAuthentication({ system, site }, asked),
    finishAuthentication: (site, answer) => passkeys.finishAuthentication({ system, site }, answer),
    checkCode: (signIn) => checkCode(parts, signIn),
    readRules,
    changeRules: (org, rules) => changeRules(system, org, rules),
    tell: (message) =>
      tell(parts, message).catch((error: unknown) => {
        parts.log.warn({ err: error, userId: message.userId }, 'the mail about a changed account could not be sent');
      }),
  };
}

type Message = { userId: string; email: string; change: string; origin: string };

async function tell({ mailer, hasMail }: AccountParts, { email, change, origin }: Message): Promise<void> {
  if (!hasMail || !isDeliverable(email)) return;
  const { subject, text, html } = renderLetter(
    {
      subject: 'How you sign in to Earshot has changed',
      intro: change,
      facts: [['Account', email]],
      action: { title: 'Look at it', url: `${origin}/account/security` },
      reason: 'If it was not you, change your password at once and tell your administrator.',
    },
    null,
  );
  const messageId = `<${randomUUID()}@${new URL(origin).hostname}>`;
  await mailer.send({ messageId, date: new Date(), to: email, subject, text, html, unsubscribeUrl: null });
}
