import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const attemptsMax = 30;
const pauseMs = 150;

/**
 * Where Linux shares the processors out among sessions (`sched_autogroup_enabled`, as Debian does), niceness counts only
 * within one: a session of its own is as much as the whole service, until it is lowered itself.
 */
export async function lowerSession(pid: number, niceness: number): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(niceness));
      return;
    } catch (error) {
      // Of all who ask without being root, one is heard every 100 ms. Anything else stays as it is: gone, not Linux, forbidden.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}
