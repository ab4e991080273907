import { median, readRange, sendUpload, startTarget, type Target } from './support/media-client.ts';

/**
 * Ranges of a stored recording through the whole service (credential, role, record, validators), as players ask for them,
 * eight at a time, beside a bare `node:http` server that streams the same bytes from the same kind of file.
 * Must reach 0.6 of its speed.
 */
const ratioMin = 0.6;
const fileSizeBytes = 200_000_000;
const parallel = 8;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const sizes = [256 * 1024, 1024 * 1024, 8 * 1024 * 1024];

const bare = await startTarget('./media-bare.ts');
const service = await startTarget('./media-service.ts');
try {
  const stored = await sendUpload(service, fileSizeBytes);
  const { data } = JSON.parse(stored.body) as { data: { id: string } };
  const paths = new Map<Target, string>([
    [service, `/api/v1/records/${data.id}/audio`],
    [bare, `/${(await sendUpload(bare, fileSizeBytes)).body}`],
  ]);
  const results = [];
  for (const sizeBytes of sizes) results.push(await compare(paths, sizeBytes));
  process.stdout.write(`${JSON.stringify(results)}\n`);
  if (results.some(({ ratio }) => ratio < ratioMin)) {
    process.stdout.write(`missed the goal: ${ratioMin} of the bare speed\n`);
    process.exitCode = 1;
  }
} finally {
  await Promise.all([service.stop(), bare.stop()]);
}

async function compare(paths: ReadonlyMap<Target, string>, sizeBytes: number) {
  const speeds = new Map<Target, number[]>([
    [service, []],
    [bare, []],
  ]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [target, path] of paths) {
      const speed = await measure(target, { path, sizeBytes });
      // The first round warms up.
      if (round > 0) speeds.get(target)?.push(speed);
    }
  }
  const [perSecond, barePerSecond] = [median(speeds.get(service) ?? []), median(speeds.get(bare) ?? [])];
  return {
    rangeKb: sizeBytes / 1024,
    perSecond: Math.round(perSecond),
    barePerSecond: Math.round(barePerSecond),
    ratio: Math.round((perSecond / barePerSecond) * 100) / 100,
  };
}

/** Ranges a second, over half a gigabyte or a thousand requests. */
async function measure(target: Target, { path, sizeBytes }: { path: string; sizeBytes: number }): Promise<number> {
  const count = Math.min(1000, Math.round(512_000_000 / sizeBytes));
  let next = 0;
  const startedAt = performance.now();
  const player = async (): Promise<void> => {
    while (next < count) {
      const start = (next++ * 7_919 * 4096) % (fileSizeBytes - sizeBytes);
      const received = await readRange(target, { path, start, end: start + sizeBytes - 1 });
      if (received !== sizeBytes) throw new Error(`${received} bytes instead of ${sizeBytes}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, player));
  return (count * 1000) / (performance.now() - startedAt);
}
