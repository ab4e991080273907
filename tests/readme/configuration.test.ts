import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

type Setting = { name: string; value: string };

const read = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

let readme: string;
let example: string;
let known: string[];

beforeAll(async () => {
  [readme, example] = await Promise.all([read('README.md'), read('.env.example')]);
  const source = await read('src/config.ts');
  const [, fields = ''] = /const Environment = z\s*\.object\(\{\n(.*?)\n\s*\}\)/s.exec(source) ?? [];
  known = [...fields.matchAll(/^\s*([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
});

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

  it('stand in the table of the README, with the same defaults', () => {
    const rows: Setting[] = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` *\| (?:`([^`]*)`)? *\|/gm)].map(
      ([, name = '', value = '']) => ({ name, value }),
    );
    expect(rows.map(({ name }) => name)).toEqual(known);
    const given = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    expect(loadConfig(given)).toEqual(loadConfig({}));
  });
});

describe('the links of the README', () => {
  it('lead to files that are there', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !existsSync(fileURLToPath(new URL(`../../${target}`, import.meta.url))));
    expect(missing).toEqual([]);
    expect(targets.length).toBeGreaterThan(3);
  });
});
