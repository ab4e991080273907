import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const Ready = z.object({
  baseUrl: z.string(),
  orgId: z.string().default(''),
  projectId: z.string().default(''),
  token: z.string().default(''),
  dataDir: z.string().default(''),
});

export type Target = z.infer<typeof Ready> & { pid: number; stop: () => Promise<void> };

/** Starts one of the servers beside this file and waits until it listens. */
export async function startTarget(script: string): Promise<Target> {
  const child: ChildProcess = spawn(process.execPath, [new URL(script, import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!child.stdout || !child.pid) throw new Error(`${script} did not start`);
  const [line] = await once(createInterface(child.stdout), 'line');
  const ready = Ready.parse(JSON.parse(String(line)));
  return {
    ...ready,
    pid: child.pid,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const boundary = 'bench-boundary-0123456789abcdef';

/** A recording of that many bytes as a form, sent in pieces of 64 KB that are always the same memory. */
export async function sendUpload(target: Target, sizeBytes: number): Promise<{ status: number; body: string }> {
  const head = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="projectId"\r\n\r\n${target.projectId}\r\n`),
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="call.wav"\r\nContent-Type: audio/wav\r\n\r\n`,
    ),
    wavHeader(sizeBytes),
  ]);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    ...headersOf(target),
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + sizeBytes - 44 + tail.length,
  };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const req = request(`${target.baseUrl}/api/v1/records/upload`, { method: 'POST', agent, headers }, (res) => {
    let body = '';
    res.setEncoding('utf8').on('data', (text: string) => (body += text));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, body }));
  });
  req.on('error', reject);
  req.write(head);
  let left = sizeBytes - 44;
  const push = (): void => {
    while (left > 0) {
      const piece = noise.subarray(0, Math.min(left, noise.length));
      left -= piece.length;
      if (!req.write(piece)) return void req.once('drain', push);
    }
    req.end(tail);
  };
  push();
  return promise;
}

const noise = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 2_654_435_761) >>> 13));

/** Reads a range and throws it away; gives the number of bytes that came. */
export async function readRange(
  target: Target,
  { path, start, end }: { path: string; start: number; end: number },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { ...headersOf(target), range: `bytes=${start}-${end}` };
  request(target.baseUrl + path, { agent, headers }, (res) => {
    let received = 0;
    res.on('data', (chunk: Buffer) => (received += chunk.length));
    res.on('end', () => (res.statusCode === 206 ? resolve(received) : reject(new Error(`status ${res.statusCode}`))));
  })
    .on('error', reject)
    .end();
  return promise;
}

function headersOf({ token, orgId }: Target): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
}

/** Resident memory in bytes, as the kernel counts it (Linux). */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function wavHeader(sizeBytes: number): Buffer {
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  );
  header.writeUInt32LE(sizeBytes - 8, 4);
  header.writeUInt32LE(sizeBytes - 44, 40);
  return header;
}
