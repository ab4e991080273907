export type AudioLimits = {
  durationMaxMs: number;
  /** What a tool may take in any case. */
  timeoutMsBase: number;
  /** What it may take for each millisecond of the recording besides. */
  timeoutPerMs: number;
  memoryBytesMax: number;
};

/** Decoding is some hundred times as fast as listening: at four times as fast, a tool hangs or the machine does. */
export const audioLimits: AudioLimits = {
  durationMaxMs: 4 * 3600_000,
  timeoutMsBase: 30_000,
  timeoutPerMs: 0.25,
  memoryBytesMax: 1_500_000_000,
};

/** How long a tool may work on a recording of that length before it is taken for hung. */
export function timeoutMsFor({ timeoutMsBase, timeoutPerMs }: AudioLimits, durationMs: number): number {
  return timeoutMsBase + timeoutPerMs * durationMs;
}
