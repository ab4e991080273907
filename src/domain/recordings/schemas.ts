import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';
import { SpeakerRole } from '../../model/transcript.ts';
import { RecordParams } from '../../model/record.ts';

export const PlaybackInput = RecordParams.extend({
  /** Whether redacted stretches are to be silent; without it, what the caller may hear most of. */
  redacted: z.boolean().optional(),
});

export type PlaybackInput = z.infer<typeof PlaybackInput>;

/** An address on this service that an `<audio>` element can play, and when it stops to count. */
export const Playback = z.object({ url: z.string(), expiresAt: Timestamp });

export type Playback = z.infer<typeof Playback>;

/** How loud the recording is over time, for drawing. */
export const Waveform = z.object({
  durationMs: z.int().nonnegative(),
  /** Points of each channel, spread evenly over the duration. */
  points: z.int().positive(),
  /** Base64 of a byte (0-255) for each point, relative to the loudest of the channel. */
  channels: z.array(z.string()),
  /** Who speaks on each of these channels; null where more than one does, or nobody is known to. */
  roles: z.array(SpeakerRole.nullable()),
});

export type Waveform = z.infer<typeof Waveform>;
