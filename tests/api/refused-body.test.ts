import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonBody } from '../../src/http/body.ts';
import { errors } from '../../src/http/errors.ts';

const bodyTimeoutMs = 60;

let app: FastifyInstance;
const lines: string[] = [];

beforeAll(async () => {
  app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  await app.register(errors);
  await app.register(jsonBody, { bodyTimeoutMs });
  app.delete('/', async () => 'gone');
});
afterAll(() => app.close());

it('a body that is refused unread is not waited for: its time runs out for nobody', async () => {
  const requests = [
    { headers: { 'content-type': 'text/plain' }, payload: 'a', status: 415 },
    { headers: { 'content-type': 'application/json' }, payload: `"${'x'.repeat(1024 * 1024)}"`, status: 413 },
  ];
  for (const { headers, payload, status } of requests) {
    expect((await app.inject({ method: 'DELETE', url: '/', headers, payload })).statusCode).toBe(status);
  }
  await new Promise((resolve) => setTimeout(resolve, 3 * bodyTimeoutMs));
  expect(lines).toEqual([]);
});

it('a compressed body is 415, whatever is in it, and the answer says what is taken', async () => {
  const bodies = [
    { encoding: 'gzip', payload: gzipSync('{"name":"A"}') },
    { encoding: 'br', payload: 'nonsense' },
    { encoding: 'Deflate', payload: '{}' },
    { encoding: 'identity, gzip', payload: '{}' },
  ];
  for (const { encoding, payload } of bodies) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const answer = await app.inject({ method: 'DELETE', url: '/', headers, payload });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().error).toEqual({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'Send the body uncompressed, without Content-Encoding.',
    });
    expect(answer.headers['accept-encoding']).toBe('identity');
  }
  const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' };
  expect((await app.inject({ method: 'DELETE', url: '/', headers: plain, payload: '{}' })).statusCode).toBe(200);
});
