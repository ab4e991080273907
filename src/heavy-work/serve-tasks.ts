import { getHeapStatistics } from 'node:v8';
import { useReadableMessages } from '../lib/messages.ts';
import { toFault, type Order, type Report } from './messages.ts';
import { tasks } from './tasks.ts';

/** Does the pool's tasks one after the other. */
export function serveTasks(): void {
  useReadableMessages();
  // When all processes are stopped at once, as systemd does, the service handles the signal, and may still need this
  // one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit());
  process.on('message', ({ task, input }: Order) => {
    void perform(task, input).then((outcome) => tell({ ...outcome, heapBytes: getHeapStatistics().used_heap_size }));
  });
  tell('ready');
}

/** Does nothing if the parent is gone. */
function tell(report: Report): void {
  process.send?.(report, () => {});
}

async function perform(
  task: Order['task'],
  input: unknown,
): Promise<{ result: unknown } | { fault: ReturnType<typeof toFault> }> {
  try {
    const work = tasks[task] as (given: unknown) => unknown;
    return { result: await work(input) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}
