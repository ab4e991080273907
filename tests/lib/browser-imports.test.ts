import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const source = path.resolve('src');
/** `import type` and `export type` are gone before anything runs, in a browser as here. */
const runtimeImport = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const packages = new Set(['zod']);

/** What a file imports when it runs, by way of others, each with the way to it. */
function importsOf(file: string, way: string[] = [], seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const here = [...way, path.relative(source, file)];
  return [...readFileSync(file, 'utf8').matchAll(runtimeImport)].flatMap(([, name = '']) => {
    if (!name.startsWith('.')) return packages.has(name) ? [] : [[...here, name].join(' → ')];
    return importsOf(path.resolve(path.dirname(file), name), here, seen);
  });
}

const domains = (await readdir(path.join(source, 'domain'), { recursive: true })).filter((name) =>
  /(^|\/)schemas\.ts$/.test(name),
);
const shared = [...domains.map((name) => `domain/${name}`), 'auth/permissions.ts'].toSorted();

describe('what the dashboard shares with the server', () => {
  it('is the schemas of every domain, and the table of permissions', () => {
    expect(shared.length).toBeGreaterThan(15);
  });

  it.each(shared)('%s runs in a browser: it imports zod and our own files alone', (name) => {
    expect(importsOf(path.join(source, name))).toEqual([]);
  });
});
