import { fetch } from 'undici';
import { patientAgent } from '../../lib/patient-agent.ts';

const responseBytesMax = 4 * 1024 * 1024;

/** `fetch` for the SDK: no redirects, which would forward the key, and no endless answers. */
export async function providerFetch(...[input, init]: Parameters<typeof globalThis.fetch>): Promise<Response> {
  const url = input instanceof Request ? input.url : input;
  const { status, headers, body } = await fetch(url, {
    method: init?.method ?? 'POST',
    headers: Object.fromEntries(new Headers(init?.headers)),
    body: typeof init?.body === 'string' ? init.body : null,
    signal: init?.signal ?? null,
    redirect: 'error',
    dispatcher: patientAgent,
  });
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > responseBytesMax) throw new TypeError('The answer is larger than any answer of a model.');
    chunks.push(chunk);
  }
  return new Response(sizeBytes > 0 ? Buffer.concat(chunks) : null, { status, headers: [...headers] });
}
