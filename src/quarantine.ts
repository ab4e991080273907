import { once } from 'node:events';
import type { QuarantineOrder, QuarantineReport } from './pipeline/quarantine.ts';
import { loadQuickly } from './lib/quick-loading.ts';

// The process that retries work that has killed others, see pipeline/quarantine.ts. Its parent sends it everything it
// needs.

const aliveEveryMs = 1000;
const graceMsOfSignals = 4000;
/** Enough for one item at a time. */
const poolSize = 4;

/** If the parent dies, another process takes over the work. */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
loadQuickly();
const [order] = (await once(process, 'message')) as [QuarantineOrder];
if (order.type !== 'begin') process.exit(0);

const { openWork } = await import('./deps.ts');
const { createLogger } = await import('./lib/logger.ts');
const { createQuarantined } = await import('./pipeline/assembly/pipeline.ts');

const { databaseUrl } = order;
const config = { ...order.config, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: poolSize };
const work = await openWork(config, createLogger(config.LOG_LEVEL));
const pipeline = createQuarantined(work.pipelineDeps, (itemId) => tell({ type: 'work', itemId }));
let isStopping = false;

process.on('message', (next: QuarantineOrder) => {
  if (next.type === 'stop') void stop(next.graceMs);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(graceMsOfSignals));
await pipeline.start();
await tell({ type: 'ready' });
setInterval(() => void tell({ type: 'alive' }), aliveEveryMs);

/** Resolves once the report is delivered, so that a later crash cannot lose it. */
function tell(report: QuarantineReport): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}

async function stop(graceMs: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await pipeline.stop({ graceMs });
  await work.close();
  process.exit(0);
}
