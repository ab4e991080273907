import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';
import { SpeakerRole } from '../../model/transcript.ts';
import { RecordParams } from '../../model/record.ts';

export const PlaybackInput = RecordParams.extend({
  redacted: z.boolean().optional().meta({
    description: 'Whether redacted stretches are silent; by default the most complete version that you may hear.',
  }),
});

export type PlaybackInput = z.infer<typeof PlaybackInput>;

/** An address on this service that an `<audio>` element can play, and when it expires. */
export const Playback = z
  .object({
    url: z.string().meta({
      description: 'Path on this server: resolve it against the address that you call. Whoever has it can listen.',
      examples: ['/media/…'],
    }),
    expiresAt: Timestamp.meta({ description: 'Until when the address is good.' }),
  })
  .meta({ id: 'Playback' });

export type Playback = z.infer<typeof Playback>;

/** The loudness of the recording over time. */
export const Waveform = z.object({
  durationMs: z.int().nonnegative(),
  /** Points per channel, spread evenly over the duration. */
  points: z.int().positive(),
  /** Base64 of one byte (0-255) per point, relative to the loudest of the channel. */
  channels: z.array(z.string()),
  /** Who speaks on each of these channels; null if more than one person does, or it is unknown. */
  roles: z.array(SpeakerRole.nullable()),
});

export type Waveform = z.infer<typeof Waveform>;
