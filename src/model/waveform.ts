/**
 * The loudness of some channels of a recording: `levels` has one byte for each of the `points`, channel after channel.
 */
export type DrawnWaveform = {
  durationMs: number;
  points: number;
  channels: number[];
  levels: Buffer;
  /** How much of the recording is damaged and cannot be read. */
  missingMs: number;
};
