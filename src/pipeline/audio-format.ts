import type { AudioFormat } from '../providers/audio/formats.ts';
import { audioContentTypes } from '../providers/audio/sniff.ts';
import { poison } from './base/faults.ts';

/** The format of a stored recording. Throws a final error for an unknown type. */
export function formatOf(contentType: string | null): AudioFormat {
  const found = Object.entries(audioContentTypes).find(([, type]) => type === contentType);
  if (!found) throw poison('UNSUPPORTED_RECORDING', 'The recording is in none of the supported formats.');
  return found[0] as AudioFormat;
}
