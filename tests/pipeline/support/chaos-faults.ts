import { readyServer } from '../../support/postmaster.ts';
import { findDescendants, type SmallDisk } from './chaos.ts';
import type { Ending, Span } from './doubles.ts';
import { sleep } from './hosts.ts';
import type { ServiceProcess } from './service-process.ts';

export type Instance = { who: string; service: ServiceProcess; baseUrl: string };

type Options = {
  random: () => number;
  durationMs: number;
  /** Starts another instance. `ready` rejects where it cannot, as without a database. */
  start: () => { who: string; service: ServiceProcess };
  postgresDir: string;
  disk: SmallDisk | undefined;
  /** Ends sessions of instances that live, as a firewall or an administrator does. Gives their number. */
  cutSessions: () => Promise<number>;
};

const media = ['ffmpeg', 'ffprobe', 'pocketsphinx_batch'];
/** How long instances live that serve side by side, in milliseconds: some see the others come and go. */
const lives: [from: number, to: number][] = [
  [2_000, 8_000],
  [6_000, 14_000],
  [10_000, 20_000],
];

/** What befalls the service for so long, and what of it came when. */
export function createChaos({ random, durationMs, start, postgresDir, disk, cutSessions }: Options) {
  const serving = new Map<string, Instance>();
  const alive = new Map<string, ServiceProcess>();
  const all = new Map<string, ServiceProcess>();
  const endings: Ending[] = [];
  const outages: Span[] = [];
  /** Instances that ended by themselves once they served, with what they said. */
  const crashes: { who: string; warnings: string[] }[] = [];
  const counts = { kills: 0, stops: 0, outages: 0, cuts: 0, children: 0, fillings: 0 };
  const until = Date.now() + durationMs;
  const isOn = (): boolean => Date.now() < until;
  const between = (from: number, to: number): number => from + random() * (to - from);

  async function open(): Promise<Instance | undefined> {
    const { who, service } = start();
    all.set(who, service);
    alive.set(who, service);
    const baseUrl = await service.ready.catch(() => undefined);
    if (baseUrl === undefined) {
      alive.delete(who);
      return undefined;
    }
    const instance = { who, service, baseUrl };
    serving.set(who, instance);
    return instance;
  }

  async function end({ who, service }: Instance, how: Ending['how']): Promise<void> {
    if (service.hasEnded()) crashes.push({ who, warnings: service.warnings });
    const from = Date.now();
    if (how === 'killed') serving.delete(who);
    await service.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM');
    serving.delete(who);
    alive.delete(who);
    endings.push({ who, how, from, to: Date.now() });
    counts[how === 'killed' ? 'kills' : 'stops'] += 1;
  }

  /** One of the instances that serve: killed and started again, or relieved by the next one as when a release is rolled out. */
  async function replaceInstances([from, to]: [number, number]): Promise<void> {
    let instance = await open();
    while (isOn()) {
      if (!instance) {
        instance = await open();
        continue;
      }
      await sleep(between(from, to));
      const isStop = random() < 0.4;
      const next = isStop ? await open() : undefined;
      await end(instance, isStop ? 'stopped' : 'killed');
      instance = next;
    }
    if (instance) await end(instance, 'stopped');
  }

  /** Now and then its successors as well, so that it is away for longer than a restart takes. */
  async function killPostgres(): Promise<void> {
    let server = await readyServer(postgresDir);
    while (isOn()) {
      await sleep(between(7_000, 13_000));
      const from = Date.now();
      const awayMs = random() < 0.4 ? between(5_000, 9_000) : 0;
      do {
        process.kill(server, random() < 0.5 ? 'SIGKILL' : 'SIGINT');
        server = await readyServer(postgresDir, { killed: server });
      } while (Date.now() - from < awayMs);
      outages.push({ from, to: Date.now() });
      counts.outages += 1;
    }
  }

  /** Nobody has died of it, so nobody may take over. */
  async function loseSessions(): Promise<void> {
    while (isOn()) {
      await sleep(between(500, 1_500));
      counts.cuts += await cutSessions().catch(() => 0);
    }
  }

  async function killChildren(): Promise<void> {
    while (isOn()) {
      await sleep(between(150, 450));
      const parents = [...alive.values()].flatMap(({ pid }) => pid ?? []);
      const pids = await findDescendants(parents, media);
      const pid = pids[Math.floor(random() * pids.length)];
      if (pid === undefined || random() < 0.5) continue;
      counts.children += 1;
      kill(pid);
    }
  }

  async function fillDisk(small: SmallDisk): Promise<void> {
    while (isOn()) {
      await sleep(between(8_000, 12_000));
      await small.fill();
      counts.fillings += 1;
      await sleep(1_500);
      await small.empty();
    }
  }

  return {
    isOn,
    counts,
    crashes,
    faults: { endings, outages },
    /** What the engine of an instance complained of. */
    warningsOf: (who: string | null) =>
      (all.get(who ?? '')?.warnings ?? []).flatMap(
        (line) => /"time":(\d+).*"msg":"(pipeline: [^"]*)"/.exec(line)?.slice(1) ?? [],
      ),
    /** Where clients are served now. */
    addresses: () => [...serving.values()].map(({ baseUrl }) => baseUrl),
    /** Until the time is over and everything works again. Then one instance serves. */
    async run(): Promise<Instance> {
      await Promise.all([
        ...lives.map(replaceInstances),
        killPostgres(),
        loseSessions(),
        killChildren(),
        disk && fillDisk(disk),
      ]);
      const last = await open();
      if (!last) throw new Error('The service does not start with everything in order.');
      return last;
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
