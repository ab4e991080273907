import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type FailureEventArgs } from 'inngest';
import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { listRuns, readEngineStatus } from '../../src/pipeline/engine/runs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openGate } from './support/gate.ts';
import { asAdmin, eventually, sleep, startEmbedded, type BuildFunctions, type EmbeddedHost } from './support/hosts.ts';

const hosts: EmbeddedHost[] = [];
let database: TestDatabase | undefined;

async function begin(build: BuildFunctions, options: Parameters<typeof startEmbedded>[1] = {}): Promise<EmbeddedHost> {
  const host = await startEmbedded(build, options);
  hosts.push(host);
  return host;
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  await database?.drop();
  database = undefined;
});

/** Items of that function come into being as deaths of their holders would leave them. */
function afterDeaths(functionId: string, deaths: string): string {
  return `create function count_deaths() returns trigger language plpgsql as
      $$ begin if new.function_id = '${functionId}' then ${deaths} end if; return new; end $$;
    create trigger count_deaths before insert on engine_queue for each row execute function count_deaths()`;
}

describe('crashes', () => {
  const children: ChildProcess[] = [];
  const startChild = async (...args: string[]): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, 'support/engine-child.ts'), args, {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    await once(child, 'message');
    return child;
  };
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('goes on within seconds with what a killed process held, and repeats no saved step', async () => {
    database = await createTestDatabase();
    const { system, close } = connect({ url: database.url, poolSizeMax: 4 });
    await asAdmin(database.url, (sql) =>
      sql.unsafe('create table effects (n int, step text); grant all on effects to public'),
    );
    const first = await startChild(database.url);
    first.send({ count: 6 });
    await eventually(async () => {
      const [row] = await system<{ n: number }[]>`select count(*)::int as n from effects where step = 'held'`;
      return (row?.n ?? 0) >= 4 || undefined;
    });
    first.kill('SIGKILL');
    await once(first, 'exit');
    await startChild(database.url, 'quick');
    // Its leases last an hour; a dead holder's are free when its lock has been missed for some seconds.
    await eventually(async () => (await readEngineStatus(system)).running === 0 || undefined, 45_000);
    const steps = await system<{ step: string; most: number; runs: number }[]>`
      select step, max(c)::int as most, count(*)::int as runs
        from (select step, n, count(*) as c from effects group by step, n) e group by step order by step`;
    expect(steps.find(({ step }) => step === 'before')).toEqual({ step: 'before', most: 1, runs: 6 });
    expect(steps.find(({ step }) => step === 'after')).toEqual({ step: 'after', most: 1, runs: 6 });
    await close();
  });

  it('takes over from a live instance that was left without its lease, and drops the late result', async () => {
    database = await createTestDatabase();
    let attempts = 0;
    const outputs: unknown[] = [];
    const late = Promise.withResolvers<void>();
    const build: BuildFunctions = (client) => [
      client.createFunction({ id: 'slow', triggers: [{ event: 'test/slow' }] }, async ({ step }) => {
        const attempt = await step.run('do', async () => {
          attempts += 1;
          const mine = attempts;
          if (mine === 1) await late.promise;
          return mine;
        });
        outputs.push(attempt);
      }),
    ];
    const { client, connections } = await begin(build, { databaseUrl: database.url });
    await client.send({ name: 'test/slow', data: {} });
    await eventually(() => attempts || undefined);
    // As whoever found that it had run out would leave it.
    await connections.system`update engine_queue set owner = null, locked_until = null, losses = losses + 1`;
    await connections.system`select pg_notify('earshot_engine', '')`;
    await eventually(async () => (await readEngineStatus(connections.system)).running === 0 || undefined);
    late.resolve();
    await sleep(1000);
    expect(attempts).toBe(2);
    const [run] = await listRuns(connections.system);
    expect(run?.status).toBe('completed');
  });

  it('leaves its work to an instance that loses its connections while it works, again and again', async () => {
    database = await createTestDatabase();
    const { url: databaseUrl } = database;
    const began: string[] = [];
    const ended = Promise.withResolvers<void>();
    const build =
      (by: string): BuildFunctions =>
      (client) => [
        client.createFunction({ id: 'paid', triggers: [{ event: 'test/paid' }] }, async ({ step }) => {
          await step.run('call', async () => {
            began.push(by);
            await ended.promise;
          });
        }),
      ];
    const first = await begin(build('first'), { databaseUrl });
    await first.client.send(Array.from({ length: 4 }, (_, n) => ({ name: 'test/paid', data: { n } })));
    await eventually(() => began.length === 4 || undefined);
    const looks: number[] = [];
    await begin(build('second'), { databaseUrl, onPulse: ({ missing }) => void looks.push(missing.length) });
    await asAdmin(databaseUrl, async (sql) => {
      const [holder] = await sql<
        { key: number }[]
      >`select distinct owner as key from engine_queue where owner is not null`;
      // Until the second one has seen for longer than a dead instance is waited for that the lock was not there.
      const until = Date.now() + 40_000;
      while (looks.filter((missing) => missing === 1).length <= 5 && Date.now() < until) {
        // Whoever comes back with the lock loses it again.
        await sql`
          select pg_terminate_backend(pid) from pg_locks
           where locktype = 'advisory' and objsubid = 2 and objid = ${holder?.key ?? 0}
             and database = (select oid from pg_database where datname = current_database())`;
        await sleep(20);
      }
    });
    expect(looks.filter((missing) => missing === 1).length).toBeGreaterThan(5);
    ended.resolve();
    const { system } = first.connections;
    await eventually(async () => (await readEngineStatus(system)).running === 0 || undefined);
    expect(began).toEqual(Array(4).fill('first'));
  });

  it('goes on with its work where the database has forgotten that it was claimed', async () => {
    let began = 0;
    const ended = Promise.withResolvers<void>();
    const { client, connections } = await begin((client) => [
      client.createFunction({ id: 'paid', triggers: [{ event: 'test/paid' }] }, async ({ step }) => {
        await step.run('call', async () => {
          began += 1;
          await ended.promise;
        });
      }),
    ]);
    const { system } = connections;
    await client.send({ name: 'test/paid', data: {} });
    await eventually(() => began || undefined);
    // A claim does not wait for the disk: a crash may undo it.
    await system`update engine_queue set owner = null, locked_until = null, deliveries = deliveries - 1`;
    await system`select pg_notify('earshot_engine', '')`;
    await eventually(async () => (await readEngineStatus(system)).underWay === 1 || undefined);
    ended.resolve();
    await eventually(async () => (await readEngineStatus(system)).running === 0 || undefined);
    const [run] = await listRuns(system);
    expect([run?.status, began]).toEqual(['completed', 1]);
  });

  it.each([
    ['died three times while it worked on nothing else', 'new.losses := 3; new.crashes := 3;'],
    ['died fifty times for whatever reason', 'new.losses := 50;'],
  ])('fails a run whose worker %s, so that it cannot bring the service down for ever', async (_, deaths) => {
    let calls = 0;
    let seen: string | undefined;
    const { client, databaseUrl } = await begin((client) => [
      client.createFunction(
        {
          id: 'killer',
          triggers: [{ event: 'test/killer' }],
          onFailure: ({ error }: FailureEventArgs) => void (seen = `${error.name}: ${error.message}`),
        },
        async () => void (calls += 1),
      ),
    ]);
    await asAdmin(databaseUrl, (sql) => sql.unsafe(afterDeaths('test-killer', deaths)));
    await client.send({ name: 'test/killer', data: {} });
    await eventually(() => seen);
    expect(seen).toContain('WorkerLostError');
    expect(calls).toBe(0);
  });

  it('leaves what its holders died of to the quarantine, which takes nothing else', async () => {
    database = await createTestDatabase();
    const done: string[] = [];
    const told: (number | null)[] = [];
    const build =
      (by: string): BuildFunctions =>
      (client) =>
        ['unlucky', 'lucky'].map((id) =>
          client.createFunction({ id, triggers: [{ event: 'test/work' }] }, async () => void done.push(`${id} ${by}`)),
        );
    const { url: databaseUrl } = database;
    const pulses: boolean[] = [];
    const { client } = await begin(build('in the service'), {
      databaseUrl,
      suspects: () => 'left',
      onPulse: ({ isSuspectDue }) => void pulses.push(isSuspectDue),
    });
    await asAdmin(databaseUrl, (sql) => sql.unsafe(afterDeaths('test-unlucky', 'new.losses := 3;')));
    await client.send({ name: 'test/work', data: {} });
    await eventually(() => (pulses.at(-1) && done.length > 0) || undefined);
    expect(done).toEqual(['lucky in the service']);
    await begin(build('in quarantine'), {
      databaseUrl,
      concurrency: 1,
      suspects: () => 'only',
      onWork: async (itemId) => void told.push(itemId),
      isHelper: true,
    });
    await eventually(() => done.length > 1 || undefined);
    await client.send({ name: 'test/work', data: {} });
    await eventually(() => (done.length > 3 && told.length > 3) || undefined);
    expect(done.toSorted()).toEqual([
      'lucky in the service',
      'lucky in the service',
      'unlucky in quarantine',
      'unlucky in quarantine',
    ]);
    expect(told).toEqual([expect.any(Number), null, expect.any(Number), null]);
  });

  it('outlives the loss of the session that shows that it lives, idle or in the middle of a statement', async () => {
    database = await createTestDatabase();
    const { url } = database;
    await asAdmin(url, (sql) => sql.unsafe('create table effects (n int, step text); grant all on effects to public'));
    const child = await startChild(url, 'quick');
    await asAdmin(url, async (sql) => {
      const holder = async (): Promise<number | undefined> => {
        const [row] = await sql<{ pid: number }[]>`
          select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
             and database = (select oid from pg_database where datname = current_database())`;
        return row?.pid;
      };
      for (let round = 0; round < 2; round += 1) {
        const pid = (await eventually(holder)) ?? 0;
        let lostAt = Date.now();
        if (round === 0) {
          await sql`select pg_terminate_backend(${pid})`;
        } else {
          await sql.begin(async (tx) => {
            // What the session asks each second waits for this lock, and so is under way when it is lost.
            await tx`lock table outbox in access exclusive mode`;
            const isAsking = tx`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`;
            await eventually(async () => (await tx`${isAsking}`).length > 0 || undefined);
            lostAt = Date.now();
            await tx`select pg_terminate_backend(${pid})`;
          });
        }
        await eventually(async () => ![pid, undefined].includes(await holder()) || undefined);
        // A loss that nobody notices costs the time for an answer, five seconds, and up to one until the next look.
        expect(Date.now() - lostAt).toBeLessThan(5500);
        child.send({ count: 1 });
        await eventually(async () => (await sql`select from effects where step = 'after'`).length > round || undefined);
      }
    });
    expect(child.exitCode).toBeNull();
  });

  it('survives that the database drops its connections', async () => {
    let begun = 0;
    let ended = 0;
    const { client, connections, databaseUrl } = await begin((client) => [
      client.createFunction({ id: 'steady', triggers: [{ event: 'test/steady' }] }, async ({ step }) => {
        await step.run('do', async () => {
          begun += 1;
          await sleep(700);
        });
        ended += 1;
      }),
    ]);
    await client.send(Array.from({ length: 12 }, () => ({ name: 'test/steady', data: {} })));
    await eventually(() => (begun === 8 ? true : undefined));
    await sleep(200);
    await asAdmin(
      databaseUrl,
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await eventually(async () => {
      const status = await readEngineStatus(connections.system).catch(() => undefined);
      return status?.running === 0 || undefined;
    });
    expect([begun, ended]).toEqual([12, 12]);
    await eventually(async () => {
      const held = await connections.system`
        select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
           and database = (select oid from pg_database where datname = current_database())`;
      return held.length > 0 || undefined;
    });
  });
});

describe('without its database', () => {
  it('is not healthy, stops all the same, and is well again when the database is back', async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    const gate = await openGate({ host: hostname, port: Number(port) });
    const url = new URL(database.url);
    url.port = String(gate.port);
    let ended = 0;
    const host = await startEmbedded(
      (client) => [
        client.createFunction({ id: 'back', triggers: [{ event: 'test/back' }] }, async () => void (ended += 1)),
      ],
      { databaseUrl: url.href },
    );
    expect(host.engine.isHealthy).toBe(true);
    await gate.shut();
    await eventually(() => !host.engine.isHealthy || undefined);
    await gate.open();
    await eventually(() => host.engine.isHealthy || undefined);
    await host.client.send({ name: 'test/back', data: {} });
    await eventually(() => ended || undefined);
    await gate.shut();
    const startedAt = Date.now();
    await host.engine.stop({ graceMs: 500 });
    expect(Date.now() - startedAt).toBeLessThan(7000);
    await host.connections.close();
  });
});
