import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Said = { speaker: number; start: number; end: number; text: string };
export type DeepgramServer = { baseUrl: string; said: Said[]; close(): Promise<void> };

/** Hears in every recording what it is told to, at Deepgram's wire. */
export async function startDeepgram(said: Said[]): Promise<DeepgramServer> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const utterances = state.said.map(({ speaker, start, end, text }) => {
        const texts = text.split(' ');
        const step = (end - start) / texts.length;
        const words = texts.map((word, index) => ({
          word,
          punctuated_word: word,
          start: start + index * step,
          end: start + (index + 1) * step,
          confidence: 0.95,
          speaker,
        }));
        return { start, end, confidence: 0.95, channel: 0, speaker, transcript: text, words };
      });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ results: { channels: [], utterances } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: DeepgramServer = {
    baseUrl: `http://127.0.0.1:${port}`,
    said,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}
