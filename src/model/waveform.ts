/** The loudness of some channels of a recording: `levels` holds a byte for each of the `points`, channel after channel. */
export type DrawnWaveform = {
  durationMs: number;
  points: number;
  channels: number[];
  levels: Buffer;
  /** What of the recording cannot be read, since it is damaged. */
  missingMs: number;
};
