/** Between steps of the pipeline, in the process that is to be killed there. Told to the parent when it is reached. */
export function reach(point: string): void {
  process.send?.(point);
  // Not a request to end: nothing more of this process runs.
  if (point === killAt) process.kill(process.pid, 'SIGKILL');
}

let killAt: string | undefined;

export function setKillPoint(point: string | undefined): void {
  killAt = point;
}
