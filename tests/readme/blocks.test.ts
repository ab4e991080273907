import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, documents, root } from './blocks.ts';

const blocks = documents.flatMap(blocksOf);

describe('the programs in README and docs', () => {
  it('are run by the test of documents, or say which test runs them, or why none can', () => {
    expect(blocks.length).toBeGreaterThan(30);
    const silent = blocks.filter(({ language, elsewhere }) => elsewhere === null && !['sh', 'bash'].includes(language));
    expect(silent.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });

  it('name tests that are there and read them', () => {
    for (const { document, elsewhere } of blocks) {
      if (elsewhere?.kind !== 'run by') continue;
      const test = readFileSync(path.join(root, elsewhere.text), 'utf8');
      expect(test, `${elsewhere.text} runs a block of ${document}`).toContain(path.basename(document));
    }
  });

  it('give a reason in words where they are not run', () => {
    const reasons = blocks.flatMap(({ elsewhere }) => (elsewhere?.kind === 'not run' ? [elsewhere.text] : []));
    for (const reason of reasons) expect(reason.split(' ').length).toBeGreaterThan(2);
  });
});
