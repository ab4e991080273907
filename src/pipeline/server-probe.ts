const validMs = 3_000;
const timeoutMs = 2_000;

/** Where Inngest's SDK looks for a dev server. */
const devServerUrl = 'http://localhost:8288';

export type ServerAddress = { INNGEST_BASE_URL?: string | undefined; INNGEST_DEV: boolean };

/**
 * Asks whether the Inngest server is there, at most once in three seconds. Rejects while it is not. Of Inngest's cloud
 * nothing is asked: that an event does not get there is seen when it is sent.
 */
export function createServerProbe({ INNGEST_BASE_URL, INNGEST_DEV }: ServerAddress): () => Promise<void> {
  const baseUrl = INNGEST_BASE_URL ?? (INNGEST_DEV ? devServerUrl : undefined);
  let latest: { at: number; done: Promise<void> } | undefined;
  return async () => {
    if (baseUrl === undefined) return;
    if (!latest || Date.now() - latest.at > validMs) latest = { at: Date.now(), done: ask(baseUrl) };
    await latest.done;
  };
}

/** Any answer that is not the server's own trouble will do: older servers know no such path. */
async function ask(baseUrl: string): Promise<void> {
  const answer = await fetch(new URL('/health', baseUrl), { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause: unknown) => {
      throw new Error('The Inngest server does not answer.', { cause });
    },
  );
  await answer.body?.cancel();
  if (answer.status >= 500) throw new Error(`The Inngest server answers ${answer.status}.`);
}
