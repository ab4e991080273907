import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { circlesOf, fileGraph, folderGraph, importsOf, packagesOf, readImports, roomGraph, roomOf } from './imports.ts';
import { arrowsOf, domainsOf, drawRooms } from './picture.ts';

const imports = readImports();

describe('the imports of src', () => {
  it('form no circle of folders at run time', () => {
    expect(circlesOf(roomGraph(imports))).toEqual([]);
  });

  it('form no circle of files, those of types included', () => {
    expect(circlesOf(fileGraph(imports))).toEqual([]);
  });

  it('reach the queries of a domain from that domain alone', () => {
    const foreign = imports.filter(
      ({ from, to }) => /^domain\/[^/]+\/(.*-)?queries\.ts$/.test(to) && roomOf(from) !== roomOf(to),
    );
    expect(foreign).toEqual([]);
  });

  it('reach a domain by its doors from outside of the domains', () => {
    const isDoor = (file: string): boolean => /^domain\/[^/]+\/(service|schemas|router|examples)\.ts$/.test(file);
    // Processes of heavy work load neither the database nor what leads to it.
    const isTask = (from: string, to: string): boolean =>
      from.startsWith('heavy-work/') && /^domain\/[^/]+\/tasks\.ts$/.test(to);
    const foreign = imports.filter(
      ({ from, to }) => !from.startsWith('domain/') && /^domain\/[^/]+\//.test(to) && !isDoor(to) && !isTask(from, to),
    );
    expect(foreign).toEqual([]);
  });

  it('lead from what heavy work loads neither to drizzle nor to postgres', () => {
    const packages = new Set(['drizzle-orm', 'postgres']);
    const reached = new Set(['heavy-work/program.ts']);
    for (const file of reached) {
      for (const { from, to, isType } of imports) if (from === file && !isType) reached.add(to);
    }
    expect([...reached].filter((file) => packagesOf(file).some((name) => packages.has(name)))).toEqual([]);
  });

  it.each(['providers', 'scoring'])('lead from %s to itself, model and lib alone', (folder) => {
    const allowed = [folder, 'model', 'lib'].map((each) => `${each}/`);
    const foreign = imports.filter(
      ({ from, to }) => from.startsWith(`${folder}/`) && !allowed.some((each) => to.startsWith(each)),
    );
    expect(foreign).toEqual([]);
  });

  it('are drawn in docs/architecture.md as they are (npm run architecture)', async () => {
    const page = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
    // The formatter pads tables.
    const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}:? \|/g, '---: |');
    expect(plain(page)).toBe(plain(drawRooms(roomGraph(imports))));
  });

  it('are drawn in README.md between the folders of src, which name every domain', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [, picture = ''] = /```mermaid\n(.*?)```/s.exec(readme) ?? [];
    const plain = picture.replaceAll(/\["[^\]]*"\]/g, '');
    const drawn = [...plain.matchAll(/^ +(\w+) --> (.+)$/gm)].flatMap(([, from = '', to = '']) =>
      to.split(' & ').map((each) => `${from} --> ${each}`),
    );
    expect(drawn.toSorted()).toEqual(arrowsOf(folderGraph(imports)).toSorted());
    expect(/domain\["domain: (.+?)"\]/.exec(picture)?.[1]?.split(' · ')).toEqual(domainsOf(roomGraph(imports)));
  });
});

describe('what reads the imports', () => {
  it('tells imports of types from those at run time, and finds those that come later', () => {
    const text = `import type { A } from './a.ts';
      import { type B } from '../b/b.ts';
      import { c, type C } from './c.ts';
      export { d } from './d.ts';
      const e = await import('./e.ts');
      import { sql } from 'drizzle-orm';`;
    expect(importsOf('domain/x/y.ts', text)).toEqual([
      { from: 'domain/x/y.ts', to: 'domain/x/a.ts', isType: true },
      { from: 'domain/x/y.ts', to: 'domain/b/b.ts', isType: true },
      { from: 'domain/x/y.ts', to: 'domain/x/c.ts', isType: false },
      { from: 'domain/x/y.ts', to: 'domain/x/d.ts', isType: false },
      { from: 'domain/x/y.ts', to: 'domain/x/e.ts', isType: false },
    ]);
  });

  it('names the members of a circle, and nobody who only leads to it', () => {
    const arrow = (from: string, to: string) => ({ from: `${from}/f.ts`, to: `${to}/f.ts`, isType: false });
    const graph = roomGraph([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'd'), arrow('d', 'b'), arrow('d', 'e')]);
    expect(circlesOf(graph)).toEqual([['b', 'c', 'd']]);
  });
});
