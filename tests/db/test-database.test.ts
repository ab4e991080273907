import postgres from 'postgres';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

it('gives every caller a migrated database of its own', async () => {
  await using first = await createTestDatabase();
  await using second = await createTestDatabase();
  const one = postgres(first.url, { max: 1 });
  const two = postgres(second.url, { max: 1 });
  try {
    await one`create table mark (id int)`;
    const [here] = await one`select to_regclass('public.mark') as mark, to_regclass('public.records') as records`;
    const [there] = await two`select to_regclass('public.mark') as mark, to_regclass('public.records') as records`;
    expect(here).toEqual({ mark: 'mark', records: 'records' });
    expect(there).toEqual({ mark: null, records: 'records' });
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
});

it('drops the database while somebody is still connected', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await sql`select 1`;
  await database.drop();
  await expect(sql`select 1`).rejects.toThrow(/terminat|does not exist|closed/i);
  await sql.end();
});
