import * as z from 'zod/mini';
import type { Frame } from '../lib/settings.ts';
import { selectOrg } from './selected-org.ts';

const Answer = z.object({ data: z.object({ org: z.object({ id: z.string() }) }) });
const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** Signs in with the data of the CRM's frame. Throws the service's message if it is refused. */
export async function openFrame({ domain, memberId, authId, refreshId }: Frame): Promise<void> {
  const response = await fetch('/api/v1/embedded/auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain, memberId, authId, refreshId }),
  });
  const body: unknown = await response.json();
  if (!response.ok)
    throw new Error(Refusal.safeParse(body).data?.error.message ?? 'This frame could not be signed in.');
  selectOrg(Answer.parse(body).data.org.id);
}
