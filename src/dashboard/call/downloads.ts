import { requestHeaders } from '../lib/trpc.ts';
import type { Session } from '../session/session.ts';

export type TranscriptFormat = 'vtt' | 'srt' | 'txt' | 'json';

type Wanted = { recordId: string; format: TranscriptFormat; session: Session };

/** Saves the transcript as a file. Throws the service's message if it refuses. */
export async function downloadTranscript({ recordId, format, session }: Wanted): Promise<void> {
  const response = await fetch(`/api/v1/records/${recordId}/transcript?format=${format}`, {
    headers: await requestHeaders(session),
    credentials: 'same-origin',
  });
  if (!response.ok) throw new Error(`The service answered ${response.status} ${response.statusText}.`);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${recordId}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

/** Browsers read the blob some time after the click. */
const revokeAfterMs = 10_000;
