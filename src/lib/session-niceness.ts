import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const attemptsMax = 30;
const pauseMs = 150;

/**
 * Where Linux shares processors among sessions (`sched_autogroup_enabled`, as Debian does), niceness counts only within
 * a session. A new session weighs as much as the whole service until its own niceness is lowered.
 */
export async function lowerSession(pid: number, niceness: number): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(niceness));
      return;
    } catch (error) {
      // Non-root processes may change it once every 100 ms in total. Any other error is final: the process is gone, not
      // on Linux, or not allowed.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}
