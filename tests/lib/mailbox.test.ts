import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { isDeliverable, parseMailbox } from '../../src/lib/mailbox.ts';

describe('parseMailbox', () => {
  it.each([
    ['calls@example.com', { name: '', address: 'calls@example.com' }],
    [' Earshot <calls@example.com> ', { name: 'Earshot', address: 'calls@example.com' }],
    ['<calls@example.com>', { name: '', address: 'calls@example.com' }],
    ['Größe & Co., Ltd. <calls@example.com>', { name: 'Größe & Co., Ltd.', address: 'calls@example.com' }],
  ])('reads %s', (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox);
  });

  it.each([
    '',
    'Earshot',
    'a@b',
    'a@example.com, b@example.com',
    'A <a@example.com>, B <b@example.com>',
    'A <a@example.com',
    'A\r\nBcc: x <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    '"A" <a@example.com>',
  ])('refuses %j', (text) => {
    expect(parseMailbox(text)).toBeNull();
  });
});

describe('isDeliverable', () => {
  it('is false for what has no mail server, and for what is no address', () => {
    expect(['ann@example.com', 'ann@invalid.example.com'].every(isDeliverable)).toBe(true);
    const others = [
      'ann@portal.invalid',
      'ann@a.b.INVALID',
      'ann@invalid',
      '',
      'ann',
      'a@example.com,b@example.com',
      'a@example.com\n',
    ];
    expect(others.filter(isDeliverable)).toEqual([]);
  });
});

describe('the settings of mail', () => {
  it('name a sender beside the server, and addresses that are some', () => {
    const server = 'smtp://mail.example.com';
    expect(() => loadConfig({ SMTP_URL: server })).toThrow('MAIL_FROM: is required with SMTP_URL');
    expect(() => loadConfig({ SMTP_URL: server, MAIL_FROM: 'nobody' })).toThrow('MAIL_FROM: is not an address');
    expect(() => loadConfig({ SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@example.com' })).toThrow('SMTP_URL');
    expect(loadConfig({ SMTP_URL: server, MAIL_FROM: 'a@example.com' })).toMatchObject({ SMTP_URL: server });
  });
});
