import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mailbox } from '../../lib/mailbox.ts';
import { MailError, type Mail, type Mailer } from './interface.ts';
import { toMessage } from './message.ts';

const keptMax = 1000;
const keptMs = 30 * 86_400_000;

/**
 * Writes mails as `.eml` files, which any mail program opens, for machines without a mail server. A repeated mail is
 * one file.
 */
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
    tidy: () => removeOld(folder),
  };
}

/** Sortable by date; contains no user input. */
function fileNameOf({ date, messageId }: Mail): string {
  const digest = createHash('sha256').update(messageId).digest('hex').slice(0, 16);
  return `${beginningOf(date)}-${digest}.eml`;
}

function beginningOf(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}

/** Deletes old mails only, including drafts of a crash; other files stay. */
async function removeOld(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const mails = names.filter((name) => /^\d{4}-\d\d-\d\dT[\d.-]+Z-[0-9a-f]{16}\.eml(\.[0-9a-f-]+)?$/.test(name));
  const since = beginningOf(new Date(Date.now() - keptMs));
  const old = mails
    .toSorted()
    .toReversed()
    .filter((name, place) => place >= keptMax || name < since);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old.length;
}

/** Writes atomically. */
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
