import net from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

const answerTimeoutMs = 5_000;

/** Sends text as it stands and reads the first answer, as far as there is one. */
export async function sendRaw(baseUrl: string, text: string): Promise<RawAnswer | null> {
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = net.connect(Number(port), hostname, () => socket.write(text, 'latin1'));
  socket.setTimeout(answerTimeoutMs, () => socket.destroy());
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const answer = parse(received);
    if (answer && answer.body.length >= Number(answer.headers['content-length'])) socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return parse(await promise);
}

function parse(text: string): RawAnswer | null {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (!status) return null;
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status, headers: Object.fromEntries(headers), body };
}
