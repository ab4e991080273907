import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Stands in for the recogniser's process and misbehaves in the way that the model's name asks for.

const replyDescriptor = 3;
const jobs = { count: 0 };

for await (const line of createInterface(process.stdin)) {
  const job: { id: number; model: { name: string } } = JSON.parse(line);
  jobs.count += 1;
  send({ type: 'progress', id: job.id, stage: 'loading' });
  send({ type: 'progress', id: job.id, stage: 'listening' });
  misbehave(job.model.name, job.id);
}

function misbehave(fault: string, id: number): void {
  switch (fault) {
    case 'hangs':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return;
    case 'babbles':
      send({ type: 'done', id, language: 12, utterances: 'none' });
      return;
    case 'shouts':
      writeSync(replyDescriptor, 'this is no JSON at all\n');
      return;
    case 'crashes':
      process.kill(process.pid, 'SIGSEGV');
      return;
    case 'exits':
      throw new Error('gave up');
    case 'devours': {
      const hoard: Buffer[] = [];
      while (hoard.length < 10_000) hoard.push(Buffer.alloc(50_000_000, 1));
      return;
    }
    case 'prints':
      for (let count = 0; count < 2000; count += 1)
        writeSync(2, '{"type":"done"} \u0000 ÿ rubbish on standard error\n'.repeat(10));
      break;
    default:
  }
  const words = [{ text: `job-${jobs.count}-of-${process.pid}`, startMs: 0, endMs: 500, confidence: null }];
  const text = words.map((word) => word.text).join(' ');
  send({
    type: 'done',
    id,
    language: 'en',
    utterances: [{ channel: 0, voice: null, startMs: 0, endMs: 500, text, confidence: null, words }],
  });
}

function send(message: object): void {
  writeSync(replyDescriptor, `${JSON.stringify(message)}\n`);
}
