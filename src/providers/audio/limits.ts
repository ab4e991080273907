export type AudioLimits = {
  durationMaxMs: number;
  /** Time for a tool in any case. */
  timeoutMsBase: number;
  /** Additional time for each millisecond of the recording. */
  timeoutPerMs: number;
  memoryBytesMax: number;
};

/** Decoding is some hundred times faster than real time; at four times, the tool or the machine hangs. */
export const audioLimits: AudioLimits = {
  durationMaxMs: 4 * 3600_000,
  timeoutMsBase: 30_000,
  timeoutPerMs: 0.25,
  memoryBytesMax: 1_500_000_000,
};

/** How long a tool may work on a recording of this length before it counts as hung. */
export function timeoutMsFor({ timeoutMsBase, timeoutPerMs }: AudioLimits, durationMs: number): number {
  return timeoutMsBase + timeoutPerMs * durationMs;
}
