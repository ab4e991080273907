const validMs = 3_000;
const timeoutMs = 2_000;

/** Where Inngest's SDK looks for a dev server. */
const devServerUrl = 'http://localhost:8288';

export type ServerAddress = { INNGEST_BASE_URL?: string | undefined; INNGEST_DEV: boolean };

/**
 * Checks whether the Inngest server is up, at most once in three seconds. Rejects if it is not. Inngest's cloud is not
 * checked: sending events shows whether it can be reached.
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

/** Any answer except a server error will do: older servers do not know this path. */
async function ask(baseUrl: string): Promise<void> {
  const answer = await fetch(new URL('/health', baseUrl), { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause: unknown) => {
      throw new Error('The Inngest server does not answer.', { cause });
    },
  );
  await answer.body?.cancel();
  if (answer.status >= 500) throw new Error(`The Inngest server answers ${answer.status}.`);
}
