import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, root } from './blocks.ts';

type Link = { document: string; target: string };

const read = (document: string): string => readFileSync(path.join(root, document), 'utf8');

/** Links to other files of the repository, or to headings. */
const links: Link[] = documents.flatMap((document) =>
  [...read(document).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, target = '']) => ({ document, target })),
);

describe('the links of README and docs', () => {
  it('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(50);
    const missing = links.filter(({ document, target }) => !existsSync(fileOf({ document, target })));
    expect(missing).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const missing = links.filter(({ document, target }) => {
      const [, heading] = target.split('#');
      const file = fileOf({ document, target });
      return heading !== undefined && file.endsWith('.md') && !headingsOf(file).includes(heading);
    });
    expect(missing).toEqual([]);
  });
});

function fileOf({ document, target }: Link): string {
  const [file = ''] = target.split('#');
  return file === '' ? path.join(root, document) : path.join(root, path.dirname(document), file);
}

/** Headings as GitHub names them in addresses. */
function headingsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
