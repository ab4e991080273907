import type { SendMailOptions } from 'nodemailer';
import type { Mailbox } from '../../lib/mailbox.ts';
import type { Mail } from './interface.ts';

/** What nodemailer makes a message (RFC 5322) of. Addresses are given apart, so that nothing in them is parsed again. */
export function toMessage(mail: Mail, from: Mailbox): SendMailOptions {
  const { messageId, date, to, subject, text, html, unsubscribeUrl } = mail;
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
