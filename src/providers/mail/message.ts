import type { SendMailOptions } from 'nodemailer';
import { isMailAddress, type Mailbox } from '../../lib/mailbox.ts';
import { MailError, type Mail } from './interface.ts';

/**
 * The input from which nodemailer creates a message (RFC 5322). It would accept several addresses, so anything but a
 * plain one is refused here. Throws MailError.
 */
export function toMessage(mail: Mail, from: Mailbox): SendMailOptions {
  const { messageId, date, to, subject, text, html, unsubscribeUrl } = mail;
  if (!isMailAddress(to)) throw new MailError('MAIL_REFUSED', 'The recipient is not a mail address.');
  return {
    messageId,
    date,
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    headers: {
      // RFC 3834: suppresses out-of-office replies.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
