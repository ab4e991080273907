import { rm } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'node:http';
import { median, residentBytes, sendUpload, startTarget, type Target } from './support/media-client.ts';

/**
 * Uploads of 500 MB through the whole service (credential, form, hash, bytes looked at, flushed to disk, record), one
 * and three at a time, beside a bare `node:http` server that lets the same body run into a file.
 * Must reach 0.6 of its speed, and resident memory may grow by less than 100 MB.
 */
const ratioMin = 0.6;
const growthBytesMax = 100_000_000;
const sizeBytes = Number(process.env['BENCH_UPLOAD_BYTES'] ?? 524_288_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);

const bare = await startTarget('./media-bare.ts');
const service = await startTarget('./media-service.ts');
try {
  await sendUpload(service, 20_000_000);
  await sendUpload(bare, 20_000_000);
  const one = await compare(1);
  const three = await compare(3);
  process.stdout.write(`${JSON.stringify({ one, three })}\n`);
  const isMet = [one, three].every(({ ratio, grownMb }) => ratio >= ratioMin && grownMb * 1e6 < growthBytesMax);
  if (!isMet) {
    process.stdout.write(`missed the goal: ${ratioMin} of the bare speed, less than ${growthBytesMax / 1e6} MB\n`);
    process.exitCode = 1;
  }
} finally {
  await Promise.all([service.stop(), bare.stop()]);
}

/** The two take turns, so that whatever else the machine does falls on both. */
async function compare(parallel: number) {
  const speeds = { bare: [] as number[], service: [] as number[] };
  let grownBytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    speeds.bare.push(await measure(bare, parallel));
    const before = await residentBytes(service.pid);
    let peak = before;
    const watch = setInterval(() => {
      void residentBytes(service.pid).then((bytes) => (peak = Math.max(peak, bytes)));
    }, 25);
    speeds.service.push(await measure(service, parallel));
    clearInterval(watch);
    grownBytes = Math.max(grownBytes, peak - before);
    await clear();
  }
  const [bareMbPerSecond, mbPerSecond] = [median(speeds.bare), median(speeds.service)];
  return {
    mbPerSecond: Math.round(mbPerSecond),
    bareMbPerSecond: Math.round(bareMbPerSecond),
    ratio: Math.round((mbPerSecond / bareMbPerSecond) * 100) / 100,
    grownMb: Math.round(grownBytes / 1e5) / 10,
  };
}

async function measure(target: Target, parallel: number): Promise<number> {
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: parallel }, () => sendUpload(target, sizeBytes)));
  for (const { status, body } of answers) if (status >= 300) throw new Error(`${status}: ${body}`);
  return (parallel * sizeBytes) / 1000 / (performance.now() - startedAt);
}

/** Gigabytes of silence would fill the disk. */
async function clear(): Promise<void> {
  await rm(path.join(service.dataDir, 'objects', service.orgId), { recursive: true, force: true });
  await new Promise<void>((resolve, reject) => {
    request(bare.baseUrl, { method: 'DELETE' }, (res) => void res.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}
