import { providerError } from '../../lib/provider-error.ts';

/** One mail to one person. Texts are placed where they cannot become headers or markup. */
export type Mail = {
  /** With angle brackets; the same for the same mail, so that recipients recognize a repeated one. */
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** A click, or the mail program itself (RFC 8058), unsubscribes here. */
  unsubscribeUrl: string | null;
};

export type Mailer = {
  /** Resolves once the server, or the disk, has accepted the mail. Throws MailError. */
  send: (mail: Mail) => Promise<void>;
  /** Deletes old mails and returns their number. Present if mails are files. */
  tidy?: () => Promise<number>;
};

/** `message` contains neither an address nor any text of the mail: servers like to quote both. */
export class MailError extends providerError({
  /** The server rejects the mail permanently. */
  MAIL_REFUSED: false,
  /** The server is down, busy, or refuses our login. */
  MAIL_UNAVAILABLE: true,
}) {}
