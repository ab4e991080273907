import { parseMailbox } from '../../lib/mailbox.ts';
import { observed } from '../../lib/observe.ts';
import { createFolderMailer } from './folder.ts';
import type { Mailer } from './interface.ts';
import { createSmtpMailer } from './smtp.ts';

export type MailSettings = {
  smtpUrl: string | undefined;
  from: string | undefined;
  /** Takes the mails where there is no server. */
  folder: string;
};

/** For mails that nobody sends. */
const nobody = 'Earshot <no-reply@earshot.invalid>';

/** Throws for a sender that is no address, which the configuration rules out. */
export function createMailer({ smtpUrl, from = nobody, folder }: MailSettings): Mailer {
  const sender = parseMailbox(from);
  if (!sender) throw new TypeError('MAIL_FROM is no address.');
  return smtpUrl === undefined
    ? observedMailer('outbox-folder', createFolderMailer({ folder, from: sender }))
    : observedMailer('smtp', createSmtpMailer({ url: smtpUrl, from: sender }));
}

/** Counts, times and traces what is sent. */
function observedMailer(provider: string, mailer: Mailer): Mailer {
  return { ...mailer, send: (mail) => observed({ provider, operation: 'send' }, () => mailer.send(mail)) };
}
