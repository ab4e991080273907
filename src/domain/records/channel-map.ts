import { z } from 'zod';
import { SpeakerRole } from './transcript.ts';

const channelIndex = z.string().regex(/^\d{1,2}$/, 'must be the index of a channel, counted from 0');

/** Which role speaks on which channel of the recording, counted from 0: `{"0":"customer","1":"agent"}`. */
export const ChannelMap = z.record(channelIndex, SpeakerRole).meta({
  description:
    'Role of each channel of the recording, by index from 0. Channels that are left out are told by content.',
  example: { '0': 'customer', '1': 'agent' },
});
export type ChannelMap = z.infer<typeof ChannelMap>;
