import { describe, expect, it } from 'vitest';
import { idPrefix, isId, newId, newRequestId, type IdEntity } from '../../src/lib/ids.ts';

const entities = Object.keys(idPrefix) as IdEntity[];

describe('ids', () => {
  it.each(entities)('of a %s are TypeIDs with its prefix', (entity) => {
    const id = newId(entity);
    expect(id).toMatch(new RegExp(`^${idPrefix[entity]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    expect(isId(entity, id)).toBe(true);
    const others = entities.filter((other) => other !== entity);
    expect(others.some((other) => isId(other, id))).toBe(false);
  });

  it('have prefixes of their own', () => {
    expect(new Set(Object.values(idPrefix)).size).toBe(entities.length);
  });

  it('sort by creation, to the millisecond', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      ids.push(newId('record'));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(ids.toSorted()).toEqual(ids);
  });

  it('never come twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('record'))).size).toBe(10_000);
    expect(new Set(Array.from({ length: 10_000 }, newRequestId)).size).toBe(10_000);
  });

  it.each([
    '',
    'rec_',
    'rec',
    'rec_01m7ysd48genfrajdng7gg18f',
    'rec_01m7ysd48genfrajdng7gg18f44',
    'rec_81m7ysd48genfrajdng7gg18f4',
    'rec_01M7YSD48GENFRAJDNG7GG18F4',
    'rec_01m7ysd48genfrajdng7gg18fi',
    ' rec_01m7ysd48genfrajdng7gg18f4',
    'rec_01m7ysd48genfrajdng7gg18f4\n',
    '../rec_01m7ysd48genfrajdng7gg18f4',
  ])('are not %j', (text) => {
    expect(isId('record', text)).toBe(false);
  });
});
