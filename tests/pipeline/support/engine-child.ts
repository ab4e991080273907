import { Inngest } from 'inngest';
import { connect } from '../../../src/db/client.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Engine } from '../../../src/pipeline/engine/engine.ts';
import { createSdkLogger } from '../../../src/pipeline/sdk-logger.ts';

/** An instance in a process of its own, to be killed. Effects are rows, which outlive it. */
const databaseUrl = process.argv[2] ?? '';
const log = createLogger('silent');
const connections = connect({ url: databaseUrl, poolSizeMax: 6 });
const { system } = connections;
// A lease that nobody waits for: what a killed instance held comes back by its death alone.
const leaseMs = 3_600_000;
const engine = new Engine({ sql: system, databaseUrl, log, concurrency: 4, leaseMs, backoffMs: () => 20 });
const client = new Inngest({
  id: 'test',
  isDev: true,
  aiMetadata: false,
  fetch: engine.fetch,
  logger: createSdkLogger(log),
  // Each step is saved at once: what was done before the kill must not be done again.
  checkpointing: { bufferedSteps: 1 },
});
const note = async (n: unknown, step: string): Promise<void> => {
  await system`insert into effects (n, step) values (${Number(n)}, ${step})`;
};

engine.serve(client, [
  client.createFunction({ id: 'held', triggers: [{ event: 'test/held' }] }, async ({ event, step }) => {
    const { n } = event.data;
    await step.run('before', () => note(n, 'before'));
    await step.run('held', async () => {
      const [row] = await system<
        { count: number }[]
      >`select count(*)::int as count from effects where n = ${Number(n)} and step = 'held'`;
      await note(n, 'held');
      // The first time it never ends by itself.
      if (row?.count === 0 && process.argv[3] !== 'quick') await new Promise((resolve) => setTimeout(resolve, 60_000));
    });
    await step.run('after', () => note(n, 'after'));
  }),
]);
process.on('message', (message: { count: number }) => {
  void client.send(Array.from({ length: message.count }, (_, n) => ({ name: 'test/held', data: { n } })));
});
await engine.start();
process.send?.('ready');
