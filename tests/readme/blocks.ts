import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A block of code that a reader may run. */
export type Block = {
  document: string;
  line: number;
  language: string;
  code: string;
  /** What it may end with: 0, unless `<!-- exit codes: 0 1 -->` stands before it. */
  exitCodes: number[];
  /** Why nobody runs it, or which test does; null where the test of documents does. */
  elsewhere: { kind: 'not run' | 'run by' | 'session'; text: string } | null;
};

/** Languages of blocks that are programs. What has none is an output, a request or a file to look at. */
const programs = new Set(['sh', 'bash', 'js', 'ts', 'python', 'go']);

export const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).flatMap(documentIn)].toSorted();

function documentIn(name: string): string[] {
  return name.endsWith('.md') ? [`docs/${name}`] : [];
}

/**
 * The programs of a document, in their order. `<!-- not run: why -->`, `<!-- run by: tests/… -->` or `<!-- session:name -->`
 * right before a block says who runs it.
 */
export function blocksOf(document: string): Block[] {
  const text = readFileSync(path.join(root, document), 'utf8');
  const pattern = /(?:<!-- (not run|run by|session|exit codes): ?(.+?) -->\s*\n)?^( *)```(\w*)\n(.*?)^\3```$/gms;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, kind, said = '', indent = '', language = '', indented = ''] = match;
    if (!programs.has(language)) return [];
    const line = text.slice(0, match.index + whole.indexOf('```')).split('\n').length;
    const code = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const exitCodes = kind === 'exit codes' ? said.split(' ').map(Number) : [0];
    return [{ document, line, language, code, exitCodes, elsewhere: isElsewhere(kind) ? { kind, text: said } : null }];
  });
}

function isElsewhere(kind: string | undefined): kind is 'not run' | 'run by' | 'session' {
  return kind !== undefined && kind !== 'exit codes';
}
