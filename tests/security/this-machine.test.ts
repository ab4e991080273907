import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
let origin: URL;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { OIDC_EMBEDDED: '1' } });
  origin = new URL(await t.listen());
});
afterAll(() => t.close());

/** What answers this machine alone, and how it refuses everybody else. */
const doors: [name: string, url: string, refusal: number][] = [
  ['the metrics', '/metrics', 404],
  ['the embedded identity provider', '/oidc/.well-known/openid-configuration', 403],
  ['its keys', '/oidc/jwks', 403],
];

type Asking = { headers?: Record<string, string>; remoteAddress?: string };

async function statusOf(url: string, { headers = {}, remoteAddress = '127.0.0.1' }: Asking = {}): Promise<number> {
  const host = `localhost:${origin.port}`;
  return (await t.app.inject({ url, remoteAddress, headers: { host, ...headers } })).statusCode;
}

const names = [
  'Forwarded',
  'Via',
  'X-Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'X-Forwarded-Prefix',
  'X-Original-Forwarded-For',
  'X-Original-Host',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Remote-Addr',
  'X-ProxyUser-Ip',
  'X-Host',
  'Forwarded-For',
  'Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'CF-Ray',
  'CF-Visitor',
  'CDN-Loop',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'DO-Connecting-IP',
  'WL-Proxy-Client-IP',
  'Proxy-Connection',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-Amzn-Trace-Id',
  'X-Envoy-External-Address',
  'X-AppEngine-User-IP',
  'X-Vercel-Forwarded-For',
  'X-Scheme',
  'X-ARR-SSL',
];

describe.each(doors)('%s', (_name, url, refusal) => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('answers this machine by %s', async (address) => {
    expect(await statusOf(url, { remoteAddress: address })).toBe(200);
  });

  it.each(['10.0.0.1', '192.0.2.7', '2001:db8::1', '::ffff:10.0.0.1', '1.127.0.0'])('refuses %s', async (address) => {
    expect(await statusOf(url, { remoteAddress: address })).toBe(refusal);
  });

  it('refuses whatever has been passed on by somebody else, by whatever header that tells it', async () => {
    const statuses = await Promise.all(names.map((name) => statusOf(url, { headers: { [name]: '127.0.0.1' } })));
    expect(Object.fromEntries(names.map((name, index) => [name, statuses[index]]))).toEqual(
      Object.fromEntries(names.map((name) => [name, refusal])),
    );
    expect(await statusOf(url, { headers: { 'x-forwarded-for': '' } })).toBe(refusal);
  });

  it('takes no offence at headers that browsers and scrapers send', async () => {
    const headers = {
      accept: 'text/html',
      'accept-encoding': 'gzip',
      'accept-language': 'en',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      cookie: 'a=b',
      dnt: '1',
      origin: origin.origin,
      priority: 'u=1',
      referer: origin.href,
      'sec-ch-ua-platform': '"Linux"',
      'sec-fetch-site': 'same-origin',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      'upgrade-insecure-requests': '1',
      'user-agent': 'Prometheus/3.5',
      'x-prometheus-scrape-timeout-seconds': '10',
      'x-request-id': 'abc',
    };
    expect(await statusOf(url, { headers })).toBe(200);
  });

  it.each(['127.0.0.1', '127.0.0.1:80', 'localhost', 'LOCALHOST:3000', 'localhost.', '[::1]', '[::1]:3000'])(
    'answers by the name %s',
    async (host) => expect(await statusOf(url, { headers: { host } })).toBe(200),
  );

  it.each([
    'mallory.example',
    'localhost.mallory.example',
    '127.0.0.1.mallory.example',
    'mallory.localhost.example:3000',
    'a@localhost',
    'localhost@mallory.example',
    '0.0.0.0',
  ])('refuses the name %j, which may lead anybody here', async (host) => {
    expect(await statusOf(url, { headers: { host } })).toBe(refusal);
  });

  it('refuses over a socket what came by a proxy on this machine', async () => {
    const ask = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        request({ host: '127.0.0.1', port: origin.port, path: url, headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .once('error', reject)
          .end();
      });
    expect(await ask({})).toBe(200);
    expect(await ask({ 'x-real-ip': '192.0.2.7' })).toBe(refusal);
    expect(await ask({ 'cf-connecting-ip': '192.0.2.7' })).toBe(refusal);
  });
});

describe('a service behind proxies', () => {
  it('is on nobody’s own machine', async () => {
    const proxied = await createTestApp({ runPipeline: false, env: { TRUSTED_PROXIES: '10.0.0.1' } });
    expect((await proxied.app.inject('/metrics')).statusCode).toBe(404);
    await proxied.close();
    const env = { OIDC_EMBEDDED: '1', TRUSTED_PROXIES: '127.0.0.1' };
    await expect(createTestApp({ runPipeline: false, env })).rejects.toThrow('OIDC_EMBEDDED: ');
  });
});
