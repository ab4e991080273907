import { describe, expect, it } from 'vitest';
import { describeError } from '../../src/lib/error-log.ts';
import { AppError } from '../../src/lib/errors.ts';

const secret = '+447700900123';

function postgresError(fields: object, message = 'refused'): Error {
  return Object.assign(new Error(message), { name: 'PostgresError', ...fields });
}

describe('describeError', () => {
  it('keeps type, message, code and frames', () => {
    const described = describeError(Object.assign(new TypeError('broken'), { code: 'E_BROKEN' }));
    expect(described).toMatchObject({ type: 'TypeError', message: 'broken', code: 'E_BROKEN' });
    expect(described).toHaveProperty('stack', expect.stringMatching(/^TypeError: broken\n +at /));
  });

  it('follows causes, and stops', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    expect(describeError(error)).toMatchObject({ message: 'outer', cause: { message: 'inner' } });
    const loop = new Error('loop');
    loop.cause = loop;
    expect(JSON.stringify(describeError(loop)).length).toBeLessThan(20_000);
  });

  it('keeps what is meant for the log of our own errors', () => {
    const error = new AppError('FORBIDDEN', 'No.', { internal: 'agent lacks records:delete' });
    expect(describeError(error)).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      internal: 'agent lacks records:delete',
    });
  });

  it.each<[string, Error]>([
    ['a statement of drizzle', new Error(`Failed query: insert into records values ($1)\nparams: ${secret},x`)],
    [
      'such a statement, quoted',
      new Error('outer', { cause: new Error(`Failed query: select 1\nparams: a\nb ${secret}`) }),
    ],
    ['a parameter with a line like a frame', new Error(`Failed query: select 1\nparams: a\n    at ${secret}`)],
    [
      'a detail of Postgres',
      postgresError({ detail: `Failing row contains (${secret}).`, hint: secret, where: secret }),
    ],
    ['a value that Postgres quotes', postgresError({}, `invalid input syntax for type date: "${secret}"`)],
    ['a number that Postgres quotes', postgresError({}, `value "${secret}" is out of range for type integer`)],
    ['text that is no JSON', new SyntaxError(`Unexpected token '+', ..."phone":${secret}" is not valid JSON`)],
    ['parameters', postgresError({ parameters: [secret], args: [secret], query: `select '${secret}'` })],
    [
      'fields of any kind',
      Object.assign(new Error('x'), { customerPhone: secret, response: { body: secret }, data: secret }),
    ],
    [
      'an address',
      Object.assign(new Error(`'/records/%${secret}' is not a valid url component`), { name: 'FastifyError' }),
    ],
    ['names of rules that are objects', postgresError({ code: { nested: secret } })],
  ])('leaves out the values in %s', (_case, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain(secret);
  });

  it('names the rule that a statement broke', () => {
    const error = postgresError({ code: '23505', table_name: 'projects', constraint_name: 'projects_name' });
    expect(describeError(error)).toMatchObject({
      code: '23505',
      table_name: 'projects',
      constraint_name: 'projects_name',
    });
  });

  it('passes on what is no error', () => {
    expect(describeError('text')).toBe('text');
    expect(describeError(undefined)).toBeUndefined();
  });
});
