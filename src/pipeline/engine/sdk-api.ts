import { randomUUID } from 'node:crypto';
import type { EngineEvent, Op } from './types.ts';

export type SdkApi = {
  takeEvents(events: EngineEvent[]): Promise<void>;
  /** False if the lease of the item is lost: the call continues in vain. */
  saveCheckpoint(item: { itemId: number; deliveries: number; runId: string }, ops: Op[]): Promise<boolean>;
};

type SentEvent = Partial<EngineEvent> & { name: string };

/**
 * Replaces `fetch` in the SDK's client: requests to a server are answered here. Everything that this engine does not
 * offer is refused with its path.
 */
export function createSdkFetch(api: SdkApi): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    if (url.pathname.startsWith('/e/')) return answerEvents(api, body as SentEvent | SentEvent[]);
    const checkpoint = /^\/v1\/checkpoint\/([^/]+)\/async$/.exec(url.pathname);
    if (checkpoint) return answerCheckpoint(api, decodeURIComponent(checkpoint[1] ?? ''), body as CheckpointBody);
    return refuse(501, `The embedded pipeline engine does not offer ${url.pathname}.`);
  };
}

/** The limit of servers. */
const eventBytesMax = 3 * 1024 * 1024;
/** If the clock is changed while the service runs, a current event must not become a future one. */
const futureMsMax = 1000;

function refuse(status: number, error: string): Response {
  return Response.json({ error, status }, { status });
}

async function answerEvents(api: SdkApi, body: SentEvent | SentEvent[]): Promise<Response> {
  const events = [body].flat().map(({ id, name, data, ts }) => ({
    id: id ?? randomUUID(),
    name,
    data: data ?? {},
    ts: ts ?? Date.now(),
  }));
  if (events.some((event) => Buffer.byteLength(JSON.stringify(event)) > eventBytesMax)) {
    return refuse(400, `Event is over the max size: Max ${eventBytesMax} bytes`);
  }
  const later = events.find(({ ts }) => ts > Date.now() + futureMsMax);
  if (later)
    return refuse(400, `"${later.name}" is of the future, which the embedded pipeline engine does not wait for.`);
  await api.takeEvents(events);
  return Response.json({ ids: events.map((event) => event.id), status: 200 });
}

type CheckpointBody = { qi_id: string; steps: Op[] };

async function answerCheckpoint(api: SdkApi, runId: string, { qi_id, steps }: CheckpointBody): Promise<Response> {
  const [itemId, deliveries] = qi_id.split(':').map(Number);
  const isHeld = await api.saveCheckpoint({ itemId: itemId ?? 0, deliveries: deliveries ?? 0, runId }, steps);
  // 409 makes the SDK stop: another instance continues the run.
  if (!isHeld) return Response.json({ error: 'The run is under way elsewhere.' }, { status: 409 });
  return Response.json({ data: {} });
}
