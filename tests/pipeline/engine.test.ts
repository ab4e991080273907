import {
  cron,
  group,
  NonRetriableError,
  type FailureEventArgs,
  type GetStepTools,
  type Inngest,
  type InngestFunction,
} from 'inngest';
import { afterEach, describe, expect, it } from 'vitest';
import { listRuns, pruneRuns, readEngineStatus, retryRun } from '../../src/pipeline/engine/runs.ts';
import { Engine } from '../../src/pipeline/engine/engine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  asAdmin,
  createTestClient,
  eventually,
  log,
  sleep,
  startEmbedded,
  type BuildFunctions,
  type EmbeddedHost,
} from './support/hosts.ts';

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

const neverCalled: BuildFunctions = (client) => [
  client.createFunction({ id: 'none', triggers: [{ event: 'test/none' }] }, async () => {}),
];

describe('limits and turns', () => {
  it('gives every organization its turn, however long the backlog of another', async () => {
    const order: string[] = [];
    const { client } = await begin(
      (client) => [
        client.createFunction({ id: 'work', triggers: [{ event: 'test/work' }] }, async ({ event, step }) => {
          await step.run('do', async () => {
            order.push(String(event.data['orgId']));
            await sleep(5);
          });
        }),
      ],
      { concurrency: 2 },
    );
    const backlog = Array.from({ length: 60 }, () => ({ name: 'test/work', data: { orgId: 'busy' } }));
    await client.send([...backlog, ...['b', 'c', 'd'].map((orgId) => ({ name: 'test/work', data: { orgId } }))]);
    await eventually(() => (order.length === 63 ? true : undefined));
    for (const orgId of ['b', 'c', 'd']) expect(order.indexOf(orgId)).toBeLessThan(12);
  });

  it('keeps a function to its limit over two instances', async () => {
    database = await createTestDatabase();
    let under = 0;
    let most = 0;
    let ended = 0;
    const build: BuildFunctions = (client) => [
      client.createFunction(
        { id: 'limited', concurrency: 3, triggers: [{ event: 'test/limited' }] },
        async ({ step }) => {
          await step.run('do', async () => {
            under += 1;
            most = Math.max(most, under);
            await sleep(15);
            under -= 1;
          });
          ended += 1;
        },
      ),
    ];
    const first = await begin(build, { databaseUrl: database.url });
    await begin(build, { databaseUrl: database.url });
    await first.client.send(Array.from({ length: 40 }, () => ({ name: 'test/limited', data: {} })));
    await eventually(() => (ended === 40 ? true : undefined));
    expect(most).toBe(3);
  });

  it('gives functions that are apart places of their own, which hold nothing else up', async () => {
    const waiting = Promise.withResolvers<void>();
    let [under, done] = [0, 0];
    const { client } = await begin(
      (client) => [
        client.createFunction({ id: 'wait', triggers: [{ event: 'test/wait' }] }, async ({ step }) => {
          await step.run('wait', async () => {
            under += 1;
            await waiting.promise;
          });
        }),
        client.createFunction({ id: 'work', triggers: [{ event: 'test/work' }] }, async ({ step }) => {
          await step.run('do', async () => (done += 1));
        }),
      ],
      { concurrency: 1, apart: { 'test-wait': 3 } },
    );
    await client.send(Array.from({ length: 8 }, () => ({ name: 'test/wait', data: {} })));
    await eventually(() => under === 3 || undefined);
    await client.send(Array.from({ length: 5 }, () => ({ name: 'test/work', data: {} })));
    await eventually(() => done === 5 || undefined);
    expect(under).toBe(3);
    waiting.resolve();
    await eventually(() => under === 8 || undefined);
  });

  it('finds work behind hundreds of lanes that are at their limit', async () => {
    const waiting = Promise.withResolvers<void>();
    const started: string[] = [];
    const { client } = await begin(
      (client) => [
        client.createFunction(
          { id: 'wait', concurrency: [{ key: 'event.data.lane', limit: 1 }], triggers: [{ event: 'test/wait' }] },
          async ({ event, step }) => {
            await step.run('wait', async () => {
              started.push(String(event.data['lane']));
              if (event.data['lane'] !== 'last') await waiting.promise;
            });
          },
        ),
      ],
      { concurrency: 1, apart: { 'test-wait': 300 } },
    );
    const lanes = Array.from({ length: 250 }, (_, n) => `${n}`);
    await client.send([...lanes, ...lanes].map((lane) => ({ name: 'test/wait', data: { lane } })));
    await eventually(() => started.length === 250 || undefined);
    await client.send({ name: 'test/wait', data: { lane: 'last' } });
    await eventually(() => started.includes('last') || undefined);
    expect(started).toHaveLength(251);
    waiting.resolve();
  });

  it('runs nothing twice on two instances', async () => {
    database = await createTestDatabase();
    const effects: string[] = [];
    const doneBy = new Set<string>();
    const build =
      (name: string): BuildFunctions =>
      (client) => [
        client.createFunction({ id: 'shared', triggers: [{ event: 'test/shared' }] }, async ({ event, step }) => {
          for (const part of ['a', 'b']) {
            await step.run(part, async () => {
              effects.push(`${String(event.data['n'])}${part}`);
              doneBy.add(name);
              await sleep(3);
            });
          }
        }),
      ];
    const first = await begin(build('first'), { databaseUrl: database.url, concurrency: 4 });
    await begin(build('second'), { databaseUrl: database.url, concurrency: 4 });
    await first.client.send(Array.from({ length: 100 }, (_, n) => ({ name: 'test/shared', data: { n } })));
    await eventually(async () => (await readEngineStatus(first.connections.system)).running === 0 || undefined);
    expect(effects).toHaveLength(200);
    expect(new Set(effects).size).toBe(200);
    expect([...doneBy].toSorted()).toEqual(['first', 'second']);
  });
});

describe('stopping', () => {
  it('lets work under way end', async () => {
    const effects: string[] = [];
    const host = await begin((client) => [
      client.createFunction({ id: 'ending', triggers: [{ event: 'test/ending' }] }, async ({ step }) => {
        await step.run('do', async () => {
          effects.push('begun');
          await sleep(300);
          effects.push('ended');
        });
      }),
    ]);
    await host.client.send({ name: 'test/ending', data: {} });
    await eventually(() => effects[0]);
    await host.engine.stop({ graceMs: 2000 });
    expect(effects).toEqual(['begun', 'ended']);
  });

  it('gives back untouched, and at once, what it has not begun for money when it is told to stop', async () => {
    const ready = Promise.withResolvers<void>();
    let [begun, paid] = [0, 0];
    const holder: { engine?: Engine } = {};
    const host = await begin((client) => [
      client.createFunction({ id: 'paying', triggers: [{ event: 'test/paying' }], retries: 0 }, async ({ step }) => {
        await step.run('pay', async () => {
          begun += 1;
          await ready.promise;
          holder.engine?.leaving.throwIfAborted();
          paid += 1;
        });
      }),
    ]);
    holder.engine = host.engine;
    await host.client.send({ name: 'test/paying', data: {} });
    await eventually(() => begun || undefined);
    const stopped = host.engine.stop({ graceMs: 60_000 });
    await eventually(() => host.engine.leaving.aborted || undefined);
    ready.resolve();
    await stopped;
    expect(await host.connections.system`select owner, attempt, losses from engine_queue`).toEqual([
      { owner: null, attempt: 0, losses: 0 },
    ]);
    expect(paid).toBe(0);
  });

  it.each([
    ['untouched', false, 0],
    ['as lost, where an error is why the service stops', true, 1],
  ])('gives back what does not end in time, %s, and tells it to stop', async (_, isFault, losses) => {
    database = await createTestDatabase();
    let isAborted = false;
    let begun = 0;
    const holder: { engine?: Engine } = {};
    const host = await startEmbedded(
      (client) => [
        client.createFunction({ id: 'endless', triggers: [{ event: 'test/endless' }] }, async ({ step }) => {
          await step.run('do', async () => {
            begun += 1;
            await new Promise((_resolve, reject) => {
              const { engine } = holder;
              engine?.stopping.addEventListener('abort', () => {
                isAborted = true;
                reject(new Error('stopped'));
              });
            });
          });
        }),
      ],
      { databaseUrl: database.url },
    );
    holder.engine = host.engine;
    await host.client.send({ name: 'test/endless', data: {} });
    await eventually(() => begun || undefined);
    const startedAt = Date.now();
    await host.engine.stop({ graceMs: 200, isFault });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(isAborted).toBe(true);
    const [item] = await host.connections.system`select owner, attempt, losses from engine_queue`;
    expect(item).toEqual({ owner: null, attempt: 0, losses });
    await host.connections.close();
  });
});

describe('cron', () => {
  it('starts one run for each tick, however many instances there are', async () => {
    database = await createTestDatabase();
    const ticks: unknown[] = [];
    const build: BuildFunctions = (client) => [
      client.createFunction(
        { id: 'tick', triggers: [cron('* * * * * *')] },
        async ({ event }) => void ticks.push(event.ts),
      ),
    ];
    await begin(build, { databaseUrl: database.url });
    await begin(build, { databaseUrl: database.url });
    await eventually(() => (ticks.length >= 3 ? true : undefined));
    expect(new Set(ticks).size).toBe(ticks.length);
  });
});

describe('what it refuses', () => {
  type Work = (context: { step: GetStepTools<Inngest.Any> }) => Promise<unknown>;
  const start = (options: Partial<InngestFunction.Options>, work: Work = async () => {}) => {
    const engine = new Engine({ sql: {} as never, databaseUrl: '', log, concurrency: 1 });
    const client = createTestClient({ fetch: engine.fetch });
    const fn = client.createFunction({ id: 'odd', triggers: [{ event: 'test/odd' }], ...options } as never, work);
    return () => engine.serve(client, [fn]);
  };

  it.each([
    ['debounce', { debounce: { period: '1s' } }],
    ['throttle', { throttle: { limit: 1, period: '1s' } }],
    ['rateLimit', { rateLimit: { limit: 1, period: '1s' } }],
    ['batchEvents', { batchEvents: { maxSize: 2, timeout: '1s' } }],
    ['priority', { priority: { run: '100' } }],
    ['cancelOn', { cancelOn: [{ event: 'test/x' }] }],
    ['timeouts', { timeouts: { start: '1s' } }],
    ['singleton', { singleton: { mode: 'skip' } }],
    ['scope "account"', { concurrency: { limit: 1, scope: 'account', key: '"x"' } }],
    ['wildcard', { triggers: [{ event: 'test/*' }] }],
    ['idempotency', { idempotency: 'event.data.id' }],
    ['event.data.a + event.data.b', { concurrency: { limit: 1, key: 'event.data.a + event.data.b' } }],
    ['event.data["id"]', { concurrency: { limit: 1, key: 'event.data["id"]' } }],
    ['async.data.id', { concurrency: { limit: 1, key: 'async.data.id' } }],
    ['event.data.n > 3', { triggers: [{ event: 'test/odd', if: 'event.data.n > 3' }] }],
    ["'other'", { triggers: [{ event: 'test/odd', if: "event.data.function_id == 'other'" }] }],
    ['jitter', { triggers: [{ cron: '* * * * *', jitter: '5s' }] }],
    ['inngest/function.finished', { triggers: [{ event: 'inngest/function.finished' }] }],
    ['inngest/function.failed', { triggers: [{ event: 'test/odd' }, { event: 'inngest/function.failed' }] }],
    ['exists', { triggers: [{ event: 'test/odd', if: 'event.data.items.exists(i, i == 1)' }] }],
  ] as [string, Partial<InngestFunction.Options>][])('names "%s" at start instead of ignoring it', (name, options) => {
    expect(start(options)).toThrow(name);
    expect(start(options)).toThrow('odd');
  });

  it.each<[string, Work]>([
    [
      'step.waitForSignal',
      ({ step }) => step.waitForSignal('wait', { signal: 's', timeout: '1h', onConflict: 'fail' }),
    ],
    ['step.waitForEvent', ({ step }) => step.waitForEvent('wait', { event: 'test/x', timeout: '1h' })],
    ['step.sendEvent', ({ step }) => step.sendEvent('tell', { name: 'test/told', data: {} })],
    ['step.ai', ({ step }) => step.ai.wrap('ask', async () => 1)],
    ['a race of steps', ({ step }) => group.parallel({ mode: 'race' }, () => Promise.race([step.sleep('s', '1h'), 1]))],
    ['step.fetch', ({ step }) => step.fetch('http://127.0.0.1:9/')],
  ])('names %s at start, which a server would run', (name, work) => {
    expect(start({}, work)).toThrow(name);
    expect(start({}, async ({ step }) => step.run('fine', () => {}))).not.toThrow();
  });

  it('takes no event of the future, which a server would put off', async () => {
    let taken = 0;
    const { client } = await begin((client) => [
      client.createFunction({ id: 'later', triggers: [{ event: 'test/later' }] }, async () => void (taken += 1)),
    ]);
    const send = (event: object) => client.send({ name: 'test/later', data: {}, ...event });
    await expect(send({ ts: Date.now() + 60_000 })).rejects.toThrow('"test/later" is of the future');
    await send({ ts: Date.now() });
    await eventually(() => taken === 1 || undefined);
  });

  it('fails a run that uses an operation that it does not offer', async () => {
    let seen: string | undefined;
    const { client } = await begin((client) => [
      client.createFunction(
        {
          id: 'signals',
          retries: 0,
          triggers: [{ event: 'test/signals' }],
          onFailure: ({ error }: FailureEventArgs) => void (seen = error.message),
        },
        // Seen by nobody at start.
        async ({ step: { waitForSignal } }) => {
          await waitForSignal('wait', { signal: 's', timeout: '1h' });
        },
      ),
    ]);
    await client.send({ name: 'test/signals', data: {} });
    expect(await eventually(() => seen)).toContain('WaitForSignal');
  });
});

describe('for operators', () => {
  it('lists failed runs and starts one again from its last good step', async () => {
    const effects: string[] = [];
    let isMended = false;
    const { client, connections } = await begin((client) => [
      client.createFunction({ id: 'mended', retries: 0, triggers: [{ event: 'test/mended' }] }, async ({ step }) => {
        await step.run('good', () => effects.push('good'));
        await step.run('bad', () => {
          effects.push('bad');
          if (!isMended) throw new NonRetriableError('broken');
        });
      }),
    ]);
    const { system } = connections;
    await client.send({ name: 'test/mended', data: { orgId: 'org_1' } });
    const [run] = await eventually(async () => {
      const runs = await listRuns(system, { failedOnly: true });
      return runs.length > 0 ? runs : undefined;
    });
    expect(run).toMatchObject({
      functionId: 'test-mended',
      status: 'failed',
      orgId: 'org_1',
      eventName: 'test/mended',
      failures: 1,
      error: { message: 'broken' },
    });
    isMended = true;
    expect(await retryRun(system, run?.id ?? '')).toBe(true);
    await eventually(async () => (await listRuns(system))[0]?.status === 'completed' || undefined);
    expect(effects).toEqual(['good', 'bad', 'bad']);
    expect(await retryRun(system, run?.id ?? '')).toBe(false);
    expect(await retryRun(system, 'run_unknown')).toBe(false);
  });

  it('forgets runs that ended long ago, and no others', async () => {
    let ended = 0;
    const { client, connections } = await begin((client) => [
      client.createFunction({ id: 'old', triggers: [{ event: 'test/old' }] }, async ({ step }) => {
        await step.run('do', () => {});
        ended += 1;
      }),
    ]);
    const { system } = connections;
    await client.send([
      { name: 'test/old', data: {} },
      { name: 'test/old', data: {} },
    ]);
    await eventually(async () => (await readEngineStatus(system)).running === 0 || undefined);
    expect(ended).toBe(2);
    await system`update engine_runs set ended_at = now() - interval '2 days' where id = (select min(id) from engine_runs)`;
    expect(await pruneRuns(system, { completedMs: 86_400_000, failedMs: 86_400_000 })).toBe(1);
    expect(await listRuns(system)).toHaveLength(1);
  });

  it('does nothing but one look a second when there is nothing to do', async () => {
    const { databaseUrl } = await begin(neverCalled);
    await sleep(300);
    const spent = await asAdmin(databaseUrl, async (sql) => {
      const read = async (): Promise<number> => {
        const [row] = await sql<{ n: number }[]>`
          select xact_commit::int as n from pg_stat_database where datname = current_database()`;
        return row?.n ?? 0;
      };
      const before = await read();
      await sleep(3000);
      return (await read()) - before;
    });
    // Statistics arrive late and machines pause, hence the margin; a busy loop would make thousands.
    expect(spent).toBeLessThan(25);
  });
});
