import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mailbox } from '../../lib/mailbox.ts';
import { MailError, type Mail, type Mailer } from './interface.ts';
import { toMessage } from './message.ts';

/** Writes mails as `.eml` files, which any mail program opens: for machines without a mail server. One sent twice is one file. */
export function createFolderMailer({ folder, from }: { folder: string; from: Mailbox }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, from));
      try {
        await write(path.join(folder, fileNameOf(mail)), Buffer.isBuffer(message) ? message : Buffer.from(''));
      } catch {
        throw new MailError('MAIL_UNAVAILABLE', 'The mail cannot be written to the outbox folder.');
      }
    },
  };
}

/** Sorts by date; holds nothing that somebody typed. */
function fileNameOf({ date, messageId }: Mail): string {
  const digest = createHash('sha256').update(messageId).digest('hex').slice(0, 16);
  return `${date.toISOString().replaceAll(':', '-')}-${digest}.eml`;
}

/** There as a whole or not at all. */
async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
