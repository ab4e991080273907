import type { SendMailOptions } from 'nodemailer';
import { isMailAddress, type Mailbox } from '../../lib/mailbox.ts';
import { MailError, type Mail } from './interface.ts';

/**
 * What nodemailer makes a message (RFC 5322) of. It takes more than one address where it is given one, so whatever is not
 * a plain one is refused here. Throws MailError.
 */
export function toMessage(mail: Mail, from: Mailbox): SendMailOptions {
  const { messageId, date, to, subject, text, html, unsubscribeUrl } = mail;
  if (!isMailAddress(to)) throw new MailError('MAIL_REFUSED', 'The recipient is no mail address.');
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
      // RFC 3834: keeps out-of-office replies away.
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
