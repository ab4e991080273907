import type { CronTrigger, EngineEvent, FunctionSpec } from './types.ts';

export type CronTick = { spec: FunctionSpec; event: EngineEvent };
export type CronTimer = { start(): void; stop(): void };

const timeoutMsMax = 2_147_483_000;

/**
 * Fires cron triggers. A tick's event id is derived from function, pattern and time, so that several instances start
 * only one run. Ticks that no instance was there for are not made up for.
 */
export function createCronTimer(specs: readonly FunctionSpec[], fire: (tick: CronTick) => void): CronTimer {
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  function arm(spec: FunctionSpec, trigger: CronTrigger, after: Date): void {
    const at = trigger.schedule.nextRun(after);
    if (!at || isStopped) return;
    const wait = (): void => {
      const leftMs = at.getTime() - Date.now();
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          if (at.getTime() > Date.now()) return wait();
          fire({ spec, event: toEvent(spec, trigger, at) });
          // If the clock jumped ahead, it fires once, not once for each missed minute.
          arm(spec, trigger, new Date(Math.max(at.getTime(), Date.now() - 1000)));
        },
        Math.min(Math.max(leftMs, 0), timeoutMsMax),
      );
      timers.add(timer);
    };
    wait();
  }

  return {
    start() {
      for (const spec of specs) for (const trigger of spec.crons) arm(spec, trigger, new Date());
    },
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

function toEvent(spec: FunctionSpec, { pattern }: CronTrigger, at: Date): EngineEvent {
  return {
    id: `cron:${spec.id}:${pattern}:${at.toISOString()}`,
    name: 'inngest/scheduled.timer',
    data: { cron: pattern },
    ts: at.getTime(),
  };
}
