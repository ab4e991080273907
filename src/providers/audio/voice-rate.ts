/** Hz of the WAV files that voices are decoded to: the rate that speech recognisers are trained on. */
export const voiceSampleRate = 16_000;
