import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/lib/logger.ts';

function logOf(write: (log: ReturnType<typeof createLogger>) => void, level = 'trace'): string {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLogger(level, destination));
  return text;
}

describe('createLogger', () => {
  it('hides credentials and phone numbers wherever they are logged', () => {
    const secret = 'canary';
    const text = logOf((log) => {
      log.info({ token: secret, password: secret, authorization: secret, customerPhone: secret });
      log.info({ req: { headers: { authorization: secret, cookie: secret } }, headers: { authorization: secret } });
      log.info({ record: { customerPhone: secret }, session: { token: secret } });
      log.child({ token: secret }).info('child');
    });
    expect(text).not.toContain(secret);
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(8);
  });

  it('writes JSON lines at its level and above', () => {
    const text = logOf((log) => {
      log.info('hidden');
      log.warn({ count: 2 }, 'shown');
    }, 'warn');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ level: 40, time: expect.any(Number), count: 2, msg: 'shown' }]);
  });

  it('describes errors under err without the values of their statements', () => {
    const text = logOf((log) => log.error({ err: new Error('Failed query: x\nparams: canary') }, 'failed'));
    expect(text).not.toContain('canary');
    expect(JSON.parse(text).err).toMatchObject({ type: 'Error' });
  });
});
