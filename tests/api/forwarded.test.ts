import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { uploadLimits } from '../../src/http/upload.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
let lines: { level: number; msg: string; peer?: string }[] = [];

async function start(env: Record<string, string> = {}): Promise<void> {
  lines = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  t = await createTestApp({ runPipeline: false, env, log });
}

const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
  t.app.inject({ url: '/docs', remoteAddress, headers });
const forwarded = { 'x-forwarded-for': '203.0.113.9' };
const warnings = () => lines.filter(({ msg }) => msg.includes('X-Forwarded-For'));

describe('a proxy that the service was not told of', () => {
  afterEach(() => t.close());

  it('is warned of once, with what to set', async () => {
    await start();
    await ask('10.0.0.7');
    expect(warnings()).toEqual([]);
    for (let sent = 0; sent < 5; sent += 1) await ask('10.0.0.7', forwarded);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatchObject({ level: 40, peer: '10.0.0.7' });
    expect(warnings()[0]?.msg).toMatch(/TRUSTED_PROXIES is not set.*one client.*add its address to TRUSTED_PROXIES/);
  });

  it('is warned of beside others that are trusted', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.7' });
    await ask('10.0.0.7', forwarded);
    await ask('10.0.0.8');
    // Somebody on the machine of the proxy itself.
    await ask('10.0.0.7', { 'x-forwarded-for': '10.0.0.7' });
    expect(warnings()).toEqual([]);
    await ask('10.0.0.8', forwarded);
    await ask('10.0.0.9', forwarded);
    expect(warnings()).toMatchObject([{ level: 40, peer: '10.0.0.8' }]);
  });
});

describe('a proxy that adds the port of the client', () => {
  afterEach(() => t.close());

  it.each([
    ['203.0.113.9:1234', '203.0.113.9:1235', '203.0.113.10:1234'],
    ['[2001:db8:1::1]:1234', '[2001:db8:1::1]', '[2001:db8:2::1]:1234'],
  ])('tells of one client over all connections, and of others apart: %s', async (first, second, other) => {
    await start({ TRUSTED_PROXIES: '10.0.0.7', RATE_LIMIT_PER_MINUTE: '100' });
    const left = async (address: string): Promise<number> => {
      const request = { url: '/api/v1/me', remoteAddress: '10.0.0.7', headers: { 'x-forwarded-for': address } };
      return Number((await t.app.inject(request)).headers['ratelimit-remaining']);
    };
    expect([await left(first), await left(second), await left(other)]).toEqual([99, 98, 99]);
  });
});

describe('the settings of proxies in docs/operations.md', () => {
  it('let the largest upload through', async () => {
    const text = await readFile(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(text) ?? [];
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThanOrEqual(uploadLimits.bodySizeBytesMax);
    const [, seconds] = /respondingTimeouts\.readTimeout=(\d+)s/.exec(text) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(uploadLimits.totalTimeoutMs);
  });
});
