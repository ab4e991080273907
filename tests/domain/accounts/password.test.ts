import { describe, expect, it } from 'vitest';
import { findPasswordFault } from '../../../src/domain/accounts/password-rules.ts';
import { hashPassword, verifyPassword } from '../../../src/domain/accounts/password.ts';

const owner = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };

describe('a password', () => {
  it('is kept as Argon2id with a salt of its own, and recognised whichever way its accents were typed', async () => {
    const [one, two] = await Promise.all([hashPassword('crème brûlée at noon'), hashPassword('crème brûlée at noon')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword('crème brûlée at noon'.normalize('NFD'), one)).toBe(true);
    expect(await verifyPassword('creme brulee at noon', one)).toBe(false);
  });

  it('of nobody is wrong, whatever it is, and so is one whose hash cannot be read', async () => {
    expect(await verifyPassword('anything at all', null)).toBe(false);
    expect(await verifyPassword('anything at all', 'plain text')).toBe(false);
  });

  it('counts in whole: what follows the 72nd byte matters', async () => {
    const hash = await hashPassword(`${'long '.repeat(40)}end`);
    expect(await verifyPassword(`${'long '.repeat(40)}and`, hash)).toBe(false);
  });

  it.each([
    ['a1!B', 'needs 12'],
    ['x'.repeat(300), 'at most'],
    ['nul\0in the middle', 'cannot be typed'],
    ['passwordpassword', 'guessed first'],
    ['P@ssw0rd2026!!', 'guessed first'],
    ['123456789012', 'guessed first'],
    ['qwertyuiop123', 'guessed first'],
    ['aaaaaaaaaaaa', 'guessed first'],
    ['abcabcabcabc', 'guessed first'],
    ['01.01.1990-01.01', 'guessed first'],
    ['administrator1', 'guessed first'],
    ['ada.lovelace@example.com', 'your own'],
    ['Lovelace-Ada-1815', 'your own'],
  ])('%s is refused', (password, why) => {
    expect(findPasswordFault(password, owner)).toContain(why);
  });

  it.each([
    'turquoise otter 9',
    'nur so ein langer Satz',
    'gT7#kk2!mQxz',
    'пароли бывают разные',
    'ada likes marmalade',
  ])('%s is accepted', (password) => {
    expect(findPasswordFault(password, owner)).toBeNull();
  });
});
