import { randomId } from '../lib/random-id.ts';
import { requestHeaders } from '../lib/trpc.ts';
import type { Session } from '../session/session.ts';
import { explainRefusal, unreachable, unreadable } from '../uploads/refusals.ts';
import { sendFile } from '../uploads/send.ts';

/** Two calls of the demo, spoken in advance by synthetic voices: the customer is on the first channel. */
export const sampleCalls = [
  {
    title: 'Internet is down',
    story: 'A model call, one minute',
    agentName: 'Michael Carter',
    url: new URL('samples/internet-is-down.ogg', import.meta.url).href,
  },
  {
    title: 'Where is my parcel?',
    story: 'Rude and impatient, 45 seconds',
    agentName: 'Brian Foster',
    url: new URL('samples/where-is-my-parcel.ogg', import.meta.url).href,
  },
] as const;

export type SampleCall = (typeof sampleCalls)[number];

type Target = { projectId: string; session: Session };

/** Uploads it as the user's own recording would be. Resolves to the record's id; throws the reason in plain words. */
export async function sendSample({ title, agentName, url }: SampleCall, target: Target): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('The sample could not be fetched. Reload the page, then try again.');
  const file = new File([await response.blob()], url.split('/').at(-1) ?? title, { type: 'audio/ogg' });
  // Whatever the project says of its own recordings, these are in English and have the customer first.
  const channelMap = { '0': 'customer', '1': 'agent' };
  const facts = { projectId: target.projectId, agentName, language: 'en', title, channelMap };
  const headers = { ...(await requestHeaders(target.session)), 'idempotency-key': randomId() };
  const answer = await sendFile({ file, facts, headers, signal: new AbortController().signal, onProgress: () => {} });
  switch (answer.kind) {
    case 'accepted':
      return answer.recordId;
    case 'refused':
      throw new Error(explainRefusal(answer).message);
    case 'unreadable':
      throw new Error(unreadable.message);
    case 'unreachable':
    case 'aborted':
      throw new Error(unreachable.message);
  }
}
