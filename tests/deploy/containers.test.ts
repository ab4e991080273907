import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.ts';

type Service = {
  image: string;
  build?: string;
  environment?: Record<string, string | number>;
  env_file?: { path: string; required: boolean }[];
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  healthcheck?: object;
  stop_grace_period?: string;
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8');

let compose: Compose;
let dockerfile: string;
let documented: Set<string>;

beforeAll(async () => {
  compose = parse(await read('compose.yaml'), { merge: true }) as Compose;
  dockerfile = await read('Dockerfile');
  const example = await read('.env.example');
  documented = new Set([...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name));
});

/** As Compose fills it in where nothing is set: `${NAME:-default}`. */
function environmentOf(service: Service | undefined): Record<string, string> {
  const entries = Object.entries(service?.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1')]));
}

describe('compose.yaml', () => {
  it.each(['web', 'worker'])('gives %s settings that the service knows and accepts', (name) => {
    const environment = environmentOf(compose.services[name]);
    expect(Object.keys(environment).filter((setting) => !documented.has(setting))).toEqual([]);
    expect(loadConfig(environment)).toMatchObject({
      ROLE: name,
      STORAGE_URL: { bucket: 'earshot', prefix: 'calls/', endpoint: 'http://s3:8333', forcePathStyle: true },
    });
    expect(loadConfig({ ...environment, PIPELINE_ENGINE: 'inngest' })).toMatchObject({ PIPELINE_ENGINE: 'inngest' });
  });

  it.each(['web', 'worker'])('lets every other setting of .env reach %s', async (name) => {
    const service = compose.services[name];
    expect(service?.env_file).toEqual([{ path: '.env', required: false }]);
    // Where things are in the containers, and what each of them is for: nothing that a team decides about.
    const fixed = new Set(Object.keys(environmentOf(service)));
    const addresses =
      /^(AWS_.*|DATA_DIR|DATABASE_URL|HOST|PORT|REDIS_URL|ROLE|SHUTDOWN_DELAY_SECONDS|STORAGE_URL|INNGEST_BASE_URL)$/;
    const choices = [...fixed].filter((setting) => !addresses.test(setting));
    // A value of .env goes into these as well: Compose reads the same file.
    const source = (await read('compose.yaml')).replaceAll(/^#.*$/gm, '');
    expect(choices.filter((setting) => !source.includes(`${setting}: \${${setting}:-`))).toEqual([]);
    // A copy of the example is where everybody begins.
    const copied = { ...parseEnv(await read('.env.example')), ...environmentOf(service) };
    expect(loadConfig(copied)).toMatchObject({ HOST: '0.0.0.0', PORT: 3000, DATA_DIR: '/data', ROLE: name });
    const image = /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '';
    expect(image.split(' ').filter((pair) => !fixed.has(pair.split('=')[0] ?? ''))).toEqual([]);
  });

  it('is accepted in production as soon as there is a key', () => {
    const environment = { ...environmentOf(compose.services['web']), NODE_ENV: 'production' };
    expect(() => loadConfig(environment)).toThrow(/SECRETS_KEY: /);
    const more = { SECRETS_KEY: 'k'.repeat(32) };
    expect(loadConfig({ ...environment, ...more }).NODE_ENV).toBe('production');
  });

  it('names a version of every image, and waits for what can say that it is well', () => {
    const services = Object.values(compose.services);
    const images = services.flatMap(({ image, build }) => (build === undefined ? [image] : []));
    expect(images.filter((image) => !/:v?\d/.test(image))).toEqual([]);
    const awaited = services.flatMap(({ depends_on: dependsOn = {} }) => Object.entries(dependsOn));
    const checked = Object.keys(compose.services).filter((name) => compose.services[name]?.healthcheck);
    expect(awaited.filter(([name]) => !(name in compose.services))).toEqual([]);
    const isChecked = new Set(checked);
    expect(awaited.filter(([name, { condition }]) => condition === 'service_healthy' && !isChecked.has(name))).toEqual(
      [],
    );
    expect(awaited.length).toBeGreaterThan(5);
  });

  it('keeps what must not be lost in volumes, and speaks to hosts that it starts', () => {
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    );
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    const { DATABASE_URL = '', REDIS_URL = '', INNGEST_BASE_URL = '' } = environmentOf(compose.services['web']);
    for (const url of [DATABASE_URL, REDIS_URL, INNGEST_BASE_URL]) {
      expect(Object.keys(compose.services)).toContain(new URL(url).hostname);
    }
  });

  it('gives a stop the time that it takes', () => {
    for (const name of ['web', 'worker']) {
      const service = compose.services[name];
      const delaySeconds = loadConfig(environmentOf(service)).SHUTDOWN_DELAY_SECONDS;
      expect(parseInt(service?.stop_grace_period ?? '0', 10)).toBeGreaterThan(10 + delaySeconds);
    }
  });
});

describe('the Dockerfile', () => {
  it('runs as nobody special, with a health check, on the Node that the service is made for', async () => {
    expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER node']);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    const { devDependencies } = JSON.parse(await read('package.json')) as { devDependencies: { node: string } };
    const major = devDependencies.node.split('.')[0];
    for (const [, image = ''] of dockerfile.matchAll(/^FROM (\S+)/gm))
      expect(image).toMatch(new RegExp(`^node:${major}-`));
  });

  it('installs what runs, and nothing for development', () => {
    expect(dockerfile).toContain('npm ci --omit=dev');
    for (const program of ['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us'])
      expect(dockerfile).toContain(` ${program} `);
  });

  it('copies what is there, and only what .dockerignore lets through', async () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const lines = new Set((await read('.dockerignore')).split('\n'));
    expect(lines.has('*')).toBe(true);
    expect(copied.filter((file) => !lines.has(`!${file}`))).toEqual([]);
  });

  it('sets only what the service knows', () => {
    const [, line = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const names = line.split(' ').map((pair) => pair.split('=')[0] ?? '');
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
    expect(names).toContain('DATA_DIR');
  });
});
