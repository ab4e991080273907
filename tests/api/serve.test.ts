import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { serve } from '../../src/serve.ts';
import { createTestApp } from '../support/app.ts';
import { asAdmin } from '../pipeline/support/hosts.ts';

it('is not ready before all that may fail a start has passed', async () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'info' }, log });
  try {
    await asAdmin(t.deps.config.DATABASE_URL ?? '', (sql) =>
      sql.unsafe(`
      create function fail_links() returns trigger language plpgsql as $$ begin raise exception 'no links today'; end $$;
      create trigger fail_links before insert on account_links execute function fail_links();`),
    );
    await expect(serve({ app: t.app, deps: t.deps })).rejects.toThrow('no links today');
    expect(lines.filter((line) => line.includes('"msg":"ready"'))).toEqual([]);
  } finally {
    await t.close();
  }
});
