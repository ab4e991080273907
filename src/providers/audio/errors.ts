import { providerError } from '../../lib/provider-error.ts';

/** What can be wrong with a recording, or with the tools that read it. */
export class AudioError extends providerError({
  AUDIO_UNDECODABLE: false,
  AUDIO_EMPTY: false,
  AUDIO_TOO_LONG: false,
  AUDIO_TRUNCATED: false,
  AUDIO_DAMAGED: false,
  AUDIO_TIMEOUT: true,
  AUDIO_INTERRUPTED: true,
  FFMPEG_MISSING: true,
}) {}
