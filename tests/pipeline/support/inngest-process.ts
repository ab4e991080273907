import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { eventually } from './hosts.ts';

/** The `inngest` program, for tests that start and kill a server of their own. */
export const inngestProgram = process.env['INNGEST_TEST_PROGRAM'];

if (inngestProgram === undefined) {
  process.stdout.write('No Inngest server is killed in tests: INNGEST_TEST_PROGRAM names no program.\n');
}

/** A dev server that keeps everything in memory: killed, it has forgotten all. It asks the application who it is. */
export async function startInngest(
  program: string,
  { port, appUrl, cwd }: { port: number; appUrl: string; cwd: string },
): Promise<{ kill(): Promise<void> }> {
  const own = ['--host', '127.0.0.1', '--port', String(port), '--no-discovery', '--poll-interval', '1'];
  const child: ChildProcess = spawn(program, ['dev', ...own, '--sdk-url', `${appUrl}/api/inngest`], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, DO_NOT_TRACK: '1' },
    stdio: 'ignore',
  });
  await eventually(async () => {
    const known = await fetch(`http://127.0.0.1:${port}/dev`).then(
      (response) => response.json() as Promise<{ functions: { slug: string }[] }>,
      () => undefined,
    );
    return known?.functions.some(({ slug }) => slug === 'earshot-sweep') || undefined;
  });
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** A port of this machine that nobody listens on. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
