import { NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { SafeFetchError } from '../../src/lib/safe-fetch-error.ts';
import { originOf, poison, retryAfter, toFailure } from '../../src/pipeline/base/faults.ts';
import { toSafeError } from '../../src/pipeline/base/safe-errors.ts';
import { createSdkLogger } from '../../src/pipeline/sdk-logger.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { MailError } from '../../src/providers/mail/interface.ts';
import { StorageError } from '../../src/providers/object-storage/interface.ts';
import { Writable } from 'node:stream';

const secret = 'my card is 4000 0566';

function refusal(fields: object = {}): Error {
  const cause = Object.assign(new Error(`value "${secret}" is out of range`), {
    name: 'PostgresError',
    code: '22003',
    table_name: 'records',
    detail: `Failing row contains (${secret}).`,
    ...fields,
  });
  return new Error(`Failed query: insert into records values ($1)\nparams: ${secret}\n    at ${secret}`, { cause });
}

function all(error: Error): string {
  const { name, message, stack, cause } = error;
  return JSON.stringify({ ...error, name, message, stack, cause: cause instanceof Error ? all(cause) : cause });
}

describe('what leaves a function of an error', () => {
  it.each<[string, unknown]>([
    ['a refused statement', refusal()],
    ['a database that is away', Object.assign(new Error(secret), { code: 'ECONNREFUSED' })],
    ['any other error', new TypeError(secret, { cause: new Error(secret) })],
    ['an error with a name of its own', Object.assign(new Error('x'), { name: secret, code: secret })],
    ['an error of ours with more for the log', new AppError('CONFLICT', 'No.', { internal: secret, cause: secret })],
    ['a storage with its cause', new StorageError('unavailable', secret, { cause: new Error(secret) })],
    ['no error at all', secret],
    ['an error that is not to be retried', new NonRetriableError(secret, { cause: new Error(secret) })],
    ['an error that names a time', new RetryAfterError(secret, 5000, { cause: new Error(secret) })],
  ])('holds nothing of %s', (_case, thrown) => {
    const safe = toSafeError(thrown);
    expect(all(safe)).not.toContain('card');
    expect(safe.cause === undefined || safe.cause instanceof Error).toBe(true);
  });

  it('names what kind it was, which rule was broken, and where', () => {
    const safe = toSafeError(refusal({ code: '23514', constraint_name: 'records_whole' }));
    expect(safe).toMatchObject({
      name: 'PostgresError',
      code: '23514',
      message: 'The database refused a statement (23514, records, records_whole).',
      stack: expect.stringMatching(/^ +at .*safe-errors\.test/),
    });
  });

  it('is retried as before', () => {
    expect(toSafeError(new NonRetriableError(secret))).toBeInstanceOf(NonRetriableError);
    expect(toSafeError(new RetryAfterError(secret, 5000))).toMatchObject({ name: 'RetryAfterError', retryAfter: '5' });
    const at = new Date('2030-01-02T03:04:05.000Z');
    expect(toSafeError(new RetryAfterError(secret, at))).toMatchObject({ retryAfter: at.toISOString() });
    expect(toSafeError(new Error(secret))).not.toBeInstanceOf(NonRetriableError);
  });

  it('keeps what was written to be shown', () => {
    for (const fault of [poison('RECORDING_GONE', 'It is gone.'), retryAfter(10, { code: 'BUSY', message: 'Wait.' })]) {
      expect(toSafeError(fault)).toBe(fault);
    }
    expect(toSafeError(new AppError('CONFLICT', 'It is done.'))).toMatchObject({
      name: 'AppError',
      code: 'CONFLICT',
      message: 'It is done.',
    });
    const mail = toSafeError(new MailError('MAIL_REFUSED', 'The mail server refuses the mail.'));
    expect([mail.name, toFailure(mail).code]).toEqual(['NonRetriableError', 'MAIL_REFUSED']);
    const fetched = toSafeError(new SafeFetchError('http_status', 'The server answered 404.'));
    expect(toFailure(fetched).message).toContain('The server answered 404.');
  });

  it('is what the engine gave, where that comes by again', () => {
    const given = new StepError('step', { name: 'Error', message: 'as it was' });
    expect(toSafeError(given)).toBe(given);
  });

  it('leads the log to what happened, which redacts it', () => {
    let logged = '';
    const write = (chunk: unknown, _encoding: unknown, done: () => void): void => {
      logged += String(chunk);
      done();
    };
    const log = createSdkLogger(createLogger('warn', new Writable({ write })));
    const thrown = refusal({ code: '23514', constraint_name: 'records_whole' });
    const safe = toSafeError(thrown);
    expect(originOf(safe)).toBe(thrown);
    log.error({ err: safe }, 'Inngest step error');
    log.error(safe, 'an error alone');
    log.error('words first', safe);
    log.error({ error: safe, step: 1 }, 'another field');
    const lines = logged.trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ err: { cause: { constraint_name: 'records_whole' } } });
      expect(line).not.toContain('card');
    }
  });
});
