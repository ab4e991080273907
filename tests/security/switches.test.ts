import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createTestApp } from '../support/app.ts';

const key = randomBytes(32).toString('hex');
const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://login.example.com/', OIDC_AUDIENCE: 'earshot' };
const inngest = { PIPELINE_ENGINE: 'inngest', INNGEST_EVENT_KEY: 'event-key', INNGEST_SIGNING_KEY: key };

/** Lines of the refusal, each with the setting that it is about. */
function mistakesIn(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

const settingsIn = (env: Record<string, string>) => mistakesIn(env).map((line) => line.split(':', 1)[0]);

describe('in production', () => {
  it.each([
    ['with the embedded engine', {}],
    ['with an Inngest server', inngest],
    ['with no other key', { PIPELINE_ENGINE: 'inngest' }],
  ])('INNGEST_DEV is refused, since it takes unsigned orders from anybody: %s', (_case, env) => {
    for (const INNGEST_DEV of ['1', 'true', 'yes', 'on']) {
      expect(settingsIn({ ...production, ...env, INNGEST_DEV })).toEqual(['INNGEST_DEV']);
    }
    expect(settingsIn({ ...production, ...inngest, INNGEST_DEV: '0' })).toEqual([]);
  });

  it('the keys that are printed in compose.yaml are refused, as is a key that anybody could guess', () => {
    const printed = 'fedcba9876543210fedcba9876543210';
    const refused = [printed, `signkey-prod-${printed}`, 'signkey-prod-', 'signkey-prod-x', 'secret'];
    for (const INNGEST_SIGNING_KEY of refused) {
      expect(settingsIn({ ...production, ...inngest, INNGEST_SIGNING_KEY })).toEqual(['INNGEST_SIGNING_KEY']);
      const env = { ...production, ...inngest, INNGEST_SIGNING_KEY_FALLBACK: INNGEST_SIGNING_KEY };
      expect(settingsIn(env)).toEqual(['INNGEST_SIGNING_KEY_FALLBACK']);
    }
    expect(settingsIn({ ...production, ...inngest, INNGEST_SIGNING_KEY_FALLBACK: `signkey-prod-${key}` })).toEqual([]);
  });

  it('keys and tokens of others come over https alone', () => {
    const env = { OIDC_JWKS_URL: 'http://login.example.com/jwks', BITRIX24_OAUTH_URL: 'http://oauth.example.com' };
    expect(settingsIn({ ...production, ...env })).toEqual(['OIDC_JWKS_URL', 'BITRIX24_OAUTH_URL']);
    expect(settingsIn({ ...production, NODE_ENV: 'development', ...env })).toEqual([]);
  });

  it('every such switch is told at once, beside mistakes of other kinds', () => {
    const stray = {
      PORT: 'x',
      OIDC_EMBEDDED: '1',
      INNGEST_DEV: '1',
      OUTBOUND_ALLOW: '10.0.0.0/8, 0.0.0.0/0',
      HOST: '0.0.0.0',
    };
    expect(settingsIn({ ...production, ...stray, OIDC_ISSUER: '', TRUSTED_PROXIES: '::/0' }).toSorted()).toEqual([
      'INNGEST_DEV',
      'OIDC_EMBEDDED',
      'OUTBOUND_ALLOW',
      'PORT',
      'PUBLIC_URL',
      'TRUSTED_PROXIES',
    ]);
  });
});

describe('a provider that is half configured', () => {
  const ready = { NODE_ENV: 'production', PUBLIC_URL: 'https://calls.example.com' };
  const mistyped = ['OIDC_ISUER', 'OIDC_ISSUER_URL', 'oidc_issuer', 'ODIC_ISSUER', 'OIDCISSUER', 'OIDC-ISSUER'];
  const rest = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL', 'OIDC_PROVIDER'];

  it.each([...mistyped, ...rest])('%s without OIDC_ISSUER opens no accounts', (name) => {
    for (const env of [ready, {}]) {
      const mistakes = mistakesIn({ ...env, [name]: 'https://login.example.com/' });
      expect(mistakes[0]).toBe(
        `${name}: is set without OIDC_ISSUER, so people would sign in with accounts of this service. Set both`,
      );
      expect(mistakes.join()).not.toContain('login.example.com');
    }
  });

  it.each([
    ['without any such setting', {}],
    ['with the scope of .env.example', { OIDC_SCOPE: 'openid profile email offline_access', OIDC_EMBEDDED: '0' }],
    ['with empty ones', { OIDC_ISSUER: '', OIDC_CLIENT_ID: ' ', OIDC_ISUER: '' }],
    ['with a provider', { OIDC_ISSUER: 'https://login.example.com/', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }],
  ])('production starts %s', (_case, env) => {
    expect(mistakesIn({ ...ready, ...env })).toEqual([]);
  });

  it('is no matter where anybody signs in as anybody', () => {
    expect(mistakesIn({ OIDC_EMBEDDED: '1', OIDC_CLIENT_ID: 'x' })).toEqual([]);
  });
});

describe('on a machine that others reach', () => {
  it('INNGEST_DEV is refused as well', () => {
    expect(settingsIn({ PIPELINE_ENGINE: 'inngest', INNGEST_DEV: '1', HOST: '0.0.0.0' })).toEqual(['INNGEST_DEV']);
    expect(settingsIn({ PIPELINE_ENGINE: 'inngest', INNGEST_DEV: '1', HOST: '127.0.0.1' })).toEqual([]);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.1, 0.0.0.0/0'])('%s is no list of proxies', (TRUSTED_PROXIES) => {
    expect(settingsIn({ TRUSTED_PROXIES })).toEqual(['TRUSTED_PROXIES']);
  });
});

describe('the environment that the Inngest SDK reads by itself', () => {
  it('opens nothing: what the configuration says counts', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      INNGEST_DEV: 'http://127.0.0.1:8288',
      INNGEST_ENABLE_UNAUTHED_SYNC: '1',
      INNGEST_ALLOW_IN_BAND_SYNC: '1',
    });
    const env = { ...inngest, LOG_LEVEL: 'silent', INNGEST_BASE_URL: 'http://127.0.0.1:9' };
    const t = await createTestApp({ runPipeline: false, env });
    try {
      const url = '/api/inngest?fnId=earshot-delete-objects&stepId=step';
      for (const method of ['GET', 'PUT', 'POST'] as const) {
        const payload = method === 'GET' ? {} : { payload: { event: {}, ctx: {} } };
        expect((await t.app.inject({ method, url, ...payload })).statusCode).toBe(401);
      }
    } finally {
      await t.close();
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    }
  });
});
