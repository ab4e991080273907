import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolderMailer } from '../../src/providers/mail/folder.ts';
import type { Mail } from '../../src/providers/mail/interface.ts';
import { createMailer } from '../../src/providers/mail/select.ts';
import { createSmtpMailer } from '../../src/providers/mail/smtp.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';

const from = { name: 'Earshot, Inc.', address: 'calls@example.com' };
const mail: Mail = {
  messageId: '<0123456789abcdef@earshot.example.com>',
  date: new Date('2026-03-02T09:15:40Z'),
  to: 'reader@example.com',
  subject: 'Größe: 100 %',
  text: 'Plain.\n',
  html: '<p>Rich.</p>\n',
  unsubscribeUrl: `https://earshot.example.com/mail/unsubscribe?token=${'x'.repeat(200)}`,
};

async function started(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  onTestFinished(() => server.stop());
  return server;
}

const sendBy = (url: string, changes: Partial<Mail> = {}) =>
  createSmtpMailer({ url, from }).send({ ...mail, ...changes });

describe('a mail by SMTP', () => {
  it('arrives as it was written, with what mail programs go by', async () => {
    const server = await started();
    await sendBy(server.url);
    const [{ raw = '', mail: received, ...envelope } = { mail: undefined }] = server.received;
    expect(envelope).toEqual({ from: from.address, to: [mail.to], at: expect.any(Number) });
    expect(received).toMatchObject({
      from,
      to: [{ address: mail.to }],
      subject: mail.subject,
      messageId: mail.messageId,
      date: '2026-03-02T09:15:40.000Z',
      text: expect.stringMatching(/^Plain\.\s+$/),
      html: expect.stringMatching(/^<p>Rich\.<\/p>\s+$/),
    });
    expect(raw.replaceAll(/\r\n[ \t]+/g, ' ')).toContain(`\r\nList-Unsubscribe: <${mail.unsubscribeUrl}>\r\n`);
    expect(raw.split('\r\n').every((line) => line.length <= 998)).toBe(true);
  });

  it('is sent with the password of the address, whatever characters it has', async () => {
    const server = await started({ password: 'p@ss:/ö%' });
    const url = new URL(server.url);
    url.username = encodeURIComponent('calls@example.com');
    url.password = encodeURIComponent('p@ss:/ö%');
    await sendBy(url.href);
    expect(server.signedIn).toEqual(['calls@example.com:p@ss:/ö%']);
    expect(server.received).toHaveLength(1);
  });

  it('whose sender is not let in is tried again: somebody will mend the password', async () => {
    const server = await started({ password: 'right' });
    const url = server.url.replace('//', '//calls:wrong@');
    await expect(sendBy(url)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE', retryable: true });
    expect(server.received).toEqual([]);
  });

  it('goes nowhere over a line that was asked to be safe and is not', async () => {
    const plain = await started({ password: 'secret' });
    const url = plain.url.replace('//', '//calls:secret@');
    await expect(sendBy(`${url}?requireTLS=true`)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' });
    expect(plain.signedIn).toEqual([]);
    const impostor = await started({ isSecure: true });
    await expect(sendBy(impostor.url)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' });
    expect(impostor.received).toEqual([]);
  });

  it.each([
    [
      550,
      '5.1.1 <reader@example.com>: no such user',
      'MAIL_REFUSED',
      'The mail server refuses the mail: it answered 550 5.1.1 to RCPT TO.',
    ],
    [
      553,
      'reader@example.com is not for us',
      'MAIL_REFUSED',
      'The mail server refuses the mail: it answered 553 to RCPT TO.',
    ],
    [
      451,
      '4.7.1 come back later, reader@example.com',
      'MAIL_UNAVAILABLE',
      'The mail server does not accept the mail at the moment: it answered 451 4.7.1 to RCPT TO.',
    ],
  ])('that is answered %i fails with the code and not with the text', async (code, text, expected, message) => {
    const server = await started();
    server.answer = () => ({ code, text });
    await expect(sendBy(server.url)).rejects.toMatchObject({ code: expected, message });
  });

  it('to a server that is not there is tried again', async () => {
    const server = await startMailServer();
    await server.stop();
    await expect(sendBy(server.url)).rejects.toMatchObject({
      code: 'MAIL_UNAVAILABLE',
      message: expect.stringMatching(/^The mail server cannot be reached( \([A-Z]+\))?\.$/),
    });
  });

  it('to more than one address, or to none, is refused before anybody is asked', async () => {
    const server = await started();
    const addresses = [
      'a@example.com, victim@example.com',
      'a@example.com>\r\nRCPT TO:<victim@example.com',
      'Ann <victim@example.com>',
      'a@example.com\r\nBcc: victim@example.com',
      '',
    ];
    for (const to of addresses) {
      await expect(sendBy(server.url, { to })).rejects.toMatchObject({ code: 'MAIL_REFUSED', retryable: false });
    }
    expect(server.received).toEqual([]);
  });
});

describe('a mail without a server', () => {
  async function folder(): Promise<string> {
    const made = await mkdtemp(path.join(tmpdir(), 'earshot-outbox-'));
    onTestFinished(() => rm(made, { recursive: true, force: true }));
    return made;
  }

  it('is one file however often it is sent, and nothing else lies there', async () => {
    const place = path.join(await folder(), 'outbox');
    const mailer = createMailer({ smtpUrl: undefined, from: undefined, folder: place });
    await Promise.all([mailer.send(mail), mailer.send(mail), mailer.send(mail)]);
    await mailer.send({ ...mail, messageId: '<another@earshot.example.com>' });
    const files = await readdir(place);
    expect(files).toHaveLength(2);
    expect(files.every((name) => /^2026-03-02T09-15-40\.000Z-[0-9a-f]{16}\.eml$/.test(name))).toBe(true);
  });

  it('is kept for thirty days, as one of the newest thousand, and what is no mail stays', async () => {
    const place = await folder();
    const mailer = createMailer({ smtpUrl: undefined, from: undefined, folder: place });
    const day = 86_400_000;
    const nameOf = (age: number, n: number) =>
      `${new Date(Date.now() - age).toISOString().replaceAll(':', '-')}-${String(n).padStart(16, '0')}.eml`;
    const recent = Array.from({ length: 1010 }, (_, n) => nameOf(day + n * 1000, n));
    const old = [
      nameOf(31 * day, 1),
      nameOf(40 * day, 2),
      `${nameOf(40 * day, 3)}.0f9619ff-8b86-4d01-b42d-00cf4fc964ff`,
    ];
    const others = ['notes.txt', '2026-01-01-report.eml'];
    for (const name of [...recent, ...old, ...others]) await writeFile(path.join(place, name), '');
    expect(await mailer.tidy?.()).toBe(13);
    expect((await readdir(place)).toSorted()).toEqual([...recent.slice(0, 1000), ...others].toSorted());
    expect(await createMailer({ smtpUrl: undefined, from: undefined, folder: path.join(place, 'none') }).tidy?.()).toBe(
      0,
    );
  });

  it('that cannot be written is tried again, and says so without naming the place', async () => {
    const place = path.join(await folder(), 'file');
    await writeFile(place, '');
    await chmod(place, 0o400);
    const error = { code: 'MAIL_UNAVAILABLE', message: 'The mail cannot be written to the outbox folder.' };
    await expect(createFolderMailer({ folder: place, from }).send(mail)).rejects.toMatchObject(error);
  });
});
