import { afterAll, beforeAll, expect, it } from 'vitest';
import postgres from 'postgres';
import { connect, requireRoles } from '../../src/db/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('are what they should be, and a service behind a pooler that drops them does not start', async () => {
  const connections = connect({ url: database.url, poolSizeMax: 2 });
  // As it is behind PgBouncer with the role among its ignored parameters: everybody is who they logged in as.
  const pooled = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    await requireRoles(connections);
    await expect(requireRoles({ ...connections, app: pooled })).rejects.toThrow('pooler');
    await expect(requireRoles({ ...connections, system: pooled })).rejects.toThrow('pooler');
  } finally {
    await pooled.end({ timeout: 2 });
    await connections.close();
  }
});
