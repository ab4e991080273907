/** Milliseconds of processor time, so that a busy machine does not count. */
export function processorMsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
