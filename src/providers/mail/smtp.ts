import { createTransport } from 'nodemailer';
import type { Mailbox } from '../../lib/mailbox.ts';
import { MailError, type Mailer } from './interface.ts';
import { toMessage } from './message.ts';

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;
/**
 * Errors of these commands are about the mail; errors of earlier ones are about our login, which may be fixed later.
 */
const commandsOfMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const localHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Sends through a server: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. A password is
 * only sent over TLS, or to this machine; `?requireTLS=false` lifts that, `?requireTLS=true` requires TLS even without
 * one.
 */
export function createSmtpMailer({ url, from }: { url: string; from: Mailbox }): Mailer {
  const transport = createTransport(readServer(new URL(url)));
  return {
    async send(mail) {
      const message = toMessage(mail, from);
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw toMailError(error);
      }
    },
  };
}

function readServer({ protocol, hostname, port, username, password, searchParams }: URL) {
  const hasPassword = username !== '';
  const requireTLS = searchParams.get('requireTLS') ?? String(hasPassword && !localHosts.has(hostname));
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: requireTLS === 'true',
    ...(hasPassword && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** 5xx for the mail is final (RFC 5321, 4.2.1); other errors may be temporary. */
function toMailError(error: unknown): MailError {
  const { code, command, responseCode, response } = fieldsOf(error);
  if (typeof responseCode !== 'number')
    return new MailError('MAIL_UNAVAILABLE', `The mail server cannot be reached${named(code)}.`);
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  const answer = `${responseCode}${enhanced && ` ${enhanced}`} to ${typeof command === 'string' ? command.split(' ', 2).join(' ') : 'a command'}`;
  const isFinal = responseCode >= 500 && typeof command === 'string' && commandsOfMail.has(command);
  if (isFinal) return new MailError('MAIL_REFUSED', `The mail server refuses the mail: it answered ${answer}.`);
  return new MailError(
    'MAIL_UNAVAILABLE',
    `The mail server does not accept the mail at the moment: it answered ${answer}.`,
  );
}

function fieldsOf(error: unknown): Record<string, unknown> {
  return error instanceof Error ? Object.fromEntries(Object.entries(error)) : {};
}

function named(code: unknown): string {
  return typeof code === 'string' && /^[A-Z_]{3,30}$/.test(code) ? ` (${code})` : '';
}
