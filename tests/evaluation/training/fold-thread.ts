import { parentPort, workerData } from 'node:worker_threads';
import { heard, judgedBy, type Readers } from './fold.ts';
import { type FoldTask, readCall, withAnswered, wordReadersOf } from './readers.ts';

const { seen, read, judge } = workerData as FoldTask;
const first = wordReadersOf(seen.calls);
const readers = withAnswered(first, seen);
parentPort?.postMessage({ read: read.map((call) => readCall(first, call)), readers }, []);
parentPort?.once('message', (among: Readers['among']) => {
  parentPort?.postMessage(judgedBy({ ...readers, among }, judge.map(heard)), []);
});
