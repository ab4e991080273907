/** One mail to one person. Texts are put where they cannot become headers or markup of another kind. */
export type Mail = {
  /** With its angle brackets; the same for the same mail, so that one sent twice counts once for who receives it. */
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where a click, or the mail program itself (RFC 8058), ends mails of this kind. */
  unsubscribeUrl: string | null;
};

export type Mailer = {
  /** Resolves when the server, or the disk, has taken the mail. Throws MailError. */
  send: (mail: Mail) => Promise<void>;
  /** Removes what has been kept here for long; gives the number. There where mails are files. */
  tidy?: () => Promise<number>;
};

export const mailErrorTable = {
  /** The server takes no such mail, now or later. */
  MAIL_REFUSED: { isRetryable: false },
  /** The server is away, busy, or does not let us in. */
  MAIL_UNAVAILABLE: { isRetryable: true },
} as const;

export type MailErrorCode = keyof typeof mailErrorTable;

/** `message` holds no address and no word of the mail: servers like to quote both. */
export class MailError extends Error {
  readonly code: MailErrorCode;
  readonly retryable: boolean;

  constructor(code: MailErrorCode, message: string) {
    super(message);
    this.name = 'MailError';
    this.code = code;
    this.retryable = mailErrorTable[code].isRetryable;
  }
}
