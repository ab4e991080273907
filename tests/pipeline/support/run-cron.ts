import { newRunId } from '../../../src/pipeline/engine/store-runs.ts';
import type { TestApp } from '../../support/app.ts';
import { asAdmin, eventually } from './hosts.ts';

/** Has the engine run the function now, as its cron trigger would. Gives what it ended with. */
export async function runCron(service: TestApp, name: string): Promise<unknown> {
  const { system } = service.deps.connections;
  const id = newRunId();
  const functionId = `earshot-${name}`;
  const event = { id, name: 'inngest/scheduled.timer', data: { cron: '* * * * *' }, ts: Date.now() };
  await system.begin(async (tx) => {
    await tx`insert into engine_runs (id, function_id, event_id, event, lane)
      values (${id}, ${functionId}, ${id}, ${tx.json(event)}, ${`${functionId}:`})`;
    await tx`insert into engine_queue (run_id, step_id, function_id, lane)
      values (${id}, 'step', ${functionId}, ${`${functionId}:`})`;
    await tx`select pg_notify('earshot_engine', '')`;
  });
  const { output } = await eventually(async () => {
    const [run] = await system<{ status: string; output: unknown; error: unknown }[]>`
      select status, output, error from engine_runs where id = ${id}`;
    if (run?.status === 'failed') throw new Error(JSON.stringify(run));
    return run?.status === 'completed' ? run : undefined;
  });
  return output;
}

/** From here on nothing runs because a minute or an hour has turned, in the middle of a test: only `runCron` starts it. */
export async function stopClock(service: TestApp): Promise<void> {
  await asAdmin(service.deps.config.DATABASE_URL ?? '', (sql) =>
    sql.unsafe(`
      create function not_by_clock() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger not_by_clock before insert on engine_runs for each row
        when (new.event_id like 'cron:%') execute function not_by_clock()`),
  );
}
