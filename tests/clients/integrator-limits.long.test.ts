import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startIntegrator, type Answer, type Integrator } from '../support/integrator.ts';

/** A service that lets a client ask ten times a minute. */
let s: Integrator;
let owner: TestMember;
let answers: Answer[];

const limit = 10;

beforeAll(async () => {
  s = await startIntegrator({ RATE_LIMIT_PER_MINUTE: String(limit) });
  owner = await s.app.createOrg();
  answers = [];
  for (let count = 0; count <= limit; count++) answers.push(await s.request(owner, 'listRecords'));
});
afterAll(() => s.close());

describe('a client that asks too often', () => {
  it('is let in as often as the limit says', () => {
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: limit }, () => 200), 429]);
  });

  it.each(Array.from({ length: limit }, (_, index) => index))('is told what is left after %d more', (index) => {
    const { headers } = answers[index] ?? { headers: {} as Record<string, string> };
    expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([`${limit}`, `${limit - 1 - index}`]);
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
  });

  it('is told how long to wait', () => {
    const { headers, body } = answers.at(-1) ?? { headers: {} as Record<string, string>, body: {} };
    expect(body.error.code).toBe('RATE_LIMITED');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it.each([
    ['with another spelling', 'bearer'],
    ['with more room', 'BEARER'],
  ])('is the same client %s', async (_, scheme) => {
    const headers = { ...owner.headers, authorization: `${scheme} ${owner.token}` };
    expect((await s.request(null, 'listRecords', { headers })).status).toBe(429);
  });

  it('does not count for others, nor for the health of the service', async () => {
    const stranger = await s.app.createOrg();
    expect((await s.request(stranger, 'listRecords')).status).toBe(200);
    expect((await s.request(null, 'getHealth')).status).toBe(200);
  });

  it.each(['getMe', 'search', 'createProject', 'createWebhook', 'uploadRecord'])(
    'is 429 for %s, too',
    async (operationId) => {
      expect((await s.request(owner, operationId)).status).toBe(429);
    },
  );
});
