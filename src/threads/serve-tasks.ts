import { setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { useReadableMessages } from '../lib/messages.ts';
import { toFault, type Order, type Reply } from './messages.ts';
import { tasks } from './tasks.ts';

const niceness = 10;

/** Does what the pool orders, one task after the other. */
export function serveTasks(): void {
  if (!parentPort) throw new Error('This is the program of a thread.');
  const port = parentPort;
  useReadableMessages();
  makeWay();
  port.on('message', ({ task, input }: Order) => {
    void perform(task, input).then((outcome) => {
      const reply: Reply = { ...outcome, heapBytes: getHeapStatistics().used_heap_size };
      port.postMessage(reply);
    });
  });
}

/** Answers to requests come first. Only on Linux does this mean the thread alone, and not the whole process. */
function makeWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, niceness);
  } catch {
    // A container may forbid it; then all threads are equal.
  }
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
