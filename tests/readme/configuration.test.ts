import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Environment, findMisspelt, loadConfig } from '../../src/config/config.ts';

type Setting = { name: string; value: string };

const read = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

const known = Object.keys(Environment.shape);

let page: string;
let example: string;

beforeAll(async () => {
  [page, example] = await Promise.all([read('docs/configuration.md'), read('.env.example')]);
});

/** The values that a setting is limited to, if it is. */
function valuesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodDefault) return valuesOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

describe('the settings', () => {
  it('stand in .env.example, in the order of the configuration, those without a default commented out', () => {
    const lines = [...example.matchAll(/^(# )?([A-Z][A-Z0-9_]+)=/gm)];
    expect(lines.map(([, , name]) => name)).toEqual(known);
    const defaults = loadConfig({});
    const active = lines.filter(([, comment]) => comment === undefined).map(([, , name]) => name);
    expect(active).toEqual(known.filter((name) => name in defaults));
    expect(known.length).toBeGreaterThan(20);
  });

  it('have the defaults in .env.example that they really have', () => {
    expect(loadConfig(parseEnv(example))).toEqual(loadConfig({}));
  });

  it('accept the values that .env.example proposes', () => {
    const proposed = example.replace(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1');
    expect(() => loadConfig(parseEnv(proposed))).not.toThrow();
  });

  it('stand in the tables of docs/configuration.md, in the same order and with the same defaults', () => {
    const rows: Setting[] = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` *\| (?:`([^`]*)`)? *\|/gm)].map(
      ([, name = '', value = '']) => ({ name, value }),
    );
    expect(rows.map(({ name }) => name)).toEqual(known);
    const given = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    expect(loadConfig(given)).toEqual(loadConfig({}));
  });

  it('are documented with every value that they can have', () => {
    const limited = Object.entries(Environment.shape).flatMap(([name, schema]) =>
      valuesOf(schema).map((value) => ({ name, value })),
    );
    expect(limited.length).toBeGreaterThan(15);
    const missing = limited.filter(({ name, value }) => {
      const [row = ''] = new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(page) ?? [];
      return !row.includes(`\`${value}\``);
    });
    expect(missing).toEqual([]);
  });
});

function mistakesIn(env: Record<string, string>): string {
  try {
    loadConfig(env);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('mistakes', () => {
  it.each([
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'x-key=50%',
      'OTEL_EXPORTER_OTLP_HEADERS.0: has a % in its value that encodes nothing: write %25',
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'a=1,nonsense',
      'OTEL_EXPORTER_OTLP_HEADERS.1: Expected key=value, separated by commas',
    ],
    [
      'OUTBOUND_ALLOW',
      '10.0.0.0/8, http://host',
      'OUTBOUND_ALLOW.1: is neither an address, a network (CIDR), a host name nor *. and a domain',
    ],
    ['STORAGE_URL', 's3:/bucket', 'STORAGE_URL: '],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM: is not an address'],
    ['CORS_ORIGINS', 'https://a.example/path', 'CORS_ORIGINS.0: is not an origin'],
  ])('of %s (%s) are named beside all others', (name, value, told) => {
    const start = () => loadConfig({ [name]: value, PORT: 'seventy', SECRETS_KEY: 'short' });
    expect(start).toThrow(told);
    expect(start).toThrow(/PORT: [^]*SECRETS_KEY/);
  });

  it('are found in every setting that can have one, none of which hides the others', () => {
    const hiding = known.filter((name) => !mistakesIn({ LOG_LEVEL: 'loud', [name]: '%' }).includes('LOG_LEVEL: '));
    expect(hiding).toEqual([]);
  });
});

describe('misspelt names', () => {
  const told = (name: string, meant: string) =>
    `${name} is not a setting of Earshot and has no effect. Did you mean ${meant}?`;

  it.each([
    ['RATE_LIMT_PER_MINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['PROT', 'PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['OPEN_AI_API_KEY', 'OPENAI_API_KEY'],
    ['data_dir', 'DATA_DIR'],
  ])('such as %s are told beside the one that was meant', (name, meant) => {
    expect(findMisspelt({ [name]: 'secret' })).toEqual([told(name, meant)]);
  });

  it('are told beside the mistakes that they lead to', () => {
    expect(mistakesIn({ NODE_ENV: 'production', HOST: '0.0.0.0', OIDC_ISUER: 'https://id.example.com' })).toMatch(
      /PUBLIC_URL: must be https in production.*OIDC_ISUER is not a setting of Earshot and has no effect/s,
    );
  });

  it('are no names of ours, of nothing, or of other programs', () => {
    const names = `PATH HOME HOSTNAME PWD OLDPWD SHELL SHLVL TERM LANG LC_ALL TZ USER LOGNAME MAIL EDITOR PAGER COLORTERM
      TMPDIR XDG_DATA_DIRS XDG_DATA_HOME NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NODE_VERSION CI
      PGHOST PGPORT PGDATA PGUSER PGDATABASE PGPASSWORD DOCKER_HOST HTTP_PROXY HTTPS_PROXY NO_PROXY NO_COLOR
      npm_lifecycle_event npm_config_cache npm_package_name INIT_CWD INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET
      KUBERNETES_PORT KUBERNETES_SERVICE_HOST EARSHOT_PORT EARSHOT_SERVICE_HOST REDIS_PORT REDIS_SERVICE_HOST
      AWS_DEFAULT_REGION AWS_PROFILE AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE AWS_CONTAINER_CREDENTIALS_FULL_URI
      OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OPENAI_ORG_ID
      POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB MINIO_ROOT_USER SSH_AUTH_SOCK LS_COLORS GITHUB_TOKEN RUNNER_OS`;
    const others = [...names.split(/\s+/), ...known];
    expect(findMisspelt(Object.fromEntries(others.map((name) => [name, '1'])))).toEqual([]);
    expect(findMisspelt({ PROT: '', DATABSE_URL: undefined })).toEqual([]);
  });
});
