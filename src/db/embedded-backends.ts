import { readFile } from 'node:fs/promises';
import { sessionNiceness } from '../lib/niceness.ts';
import { lowerSession } from '../lib/session-niceness.ts';

export type BackendSweep = (postmasterPid: number) => Promise<void>;

/**
 * Every connection is a process in a session of its own, which weighs as much as the whole service where Linux shares the
 * processors out among sessions. The sweep lowers those that have come since the last one. Does nothing on other systems.
 */
export function createBackendSweep(): BackendSweep {
  let lowered = new Set<number>();
  let isUnderWay = false;
  return async (postmasterPid) => {
    if (isUnderWay) return;
    isUnderWay = true;
    const file = `/proc/${postmasterPid}/task/${postmasterPid}/children`;
    const children = await readFile(file, 'utf8').catch(() => '');
    const backends = children.trim().split(' ').filter(Boolean).map(Number);
    for (const pid of backends) if (!lowered.has(pid)) await lowerSession(pid, sessionNiceness);
    // A process number is given again once its process has ended.
    lowered = new Set(backends);
    isUnderWay = false;
  };
}
