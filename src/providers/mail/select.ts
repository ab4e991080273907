import { parseMailbox } from '../../lib/mailbox.ts';
import { observed } from '../../lib/observe.ts';
import { createFolderMailer } from './folder.ts';
import type { Mailer } from './interface.ts';
import { createSmtpMailer } from './smtp.ts';

export type MailSettings = {
  smtpUrl: string | undefined;
  from: string | undefined;
  /** Where mails are written if there is no server. */
  folder: string;
};

/** The sender of mails that are only written to files. */
const nobody = 'Earshot <no-reply@earshot.invalid>';

/** Throws for an invalid sender, which the configuration rules out. */
export function createMailer({ smtpUrl, from = nobody, folder }: MailSettings): Mailer {
  const sender = parseMailbox(from);
  if (!sender) throw new TypeError('MAIL_FROM is not an address.');
  return smtpUrl === undefined
    ? observedMailer('outbox-folder', createFolderMailer({ folder, from: sender }))
    : observedMailer('smtp', createSmtpMailer({ url: smtpUrl, from: sender }));
}

/** Counts, times and traces sent mails. */
function observedMailer(provider: string, mailer: Mailer): Mailer {
  return { ...mailer, send: (mail) => observed({ provider, operation: 'send' }, () => mailer.send(mail)) };
}
