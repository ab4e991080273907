import { layoutOf } from '../../src/db/embedded-cluster.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { expect } from 'vitest';

/**
 * The process id of the embedded server of a folder, once it takes connections. After `killed` it is the successor's:
 * the file of a server that was killed goes on saying that it is ready until the next one starts.
 */
export async function readyServer(dataDir: string, { killed }: { killed?: number } = {}): Promise<number> {
  const { cluster } = layoutOf(dataDir);
  const read = async (): Promise<number | undefined> => {
    const server = await findPostmaster(cluster);
    return server?.status === 'ready' && server.pid !== killed ? server.pid : undefined;
  };
  let pid: number | undefined;
  await expect.poll(async () => (pid = await read()), { timeout: 45_000, interval: 20 }).toBeDefined();
  return pid ?? Number.NaN;
}
