import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RecordingServer = {
  url(path: string): string;
  /** How often each path was asked for. */
  readonly hits: Map<string, number>;
  close(): Promise<void>;
};

/** Stands where a telephony system keeps its recordings. `answer` gets the number of the request, from 1. */
export async function startRecordingServer(
  answer: (req: IncomingMessage, res: ServerResponse, hit: number) => void,
): Promise<RecordingServer> {
  const hits = new Map<string, number>();
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    const hit = (hits.get(path) ?? 0) + 1;
    hits.set(path, hit);
    answer(req, res, hit);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    hits,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A mono WAV of silence, 8 kHz, 16 bits. */
export function silentWav(durationMs: number): Buffer {
  return toWav(Buffer.alloc(Math.round((durationMs / 1000) * 8000) * 2));
}

/** The same of a tone that swells like a voice. */
export function toneWav(durationMs: number): Buffer {
  const samples = Array.from({ length: Math.round((durationMs / 1000) * 8000) }, (_, index) => {
    const loudness = 0.6 + 0.4 * Math.sin((2 * Math.PI * 3 * index) / 8000);
    return Math.round(8000 * loudness * Math.sin((2 * Math.PI * 220 * index) / 8000));
  });
  return toWav(Buffer.from(Int16Array.from(samples).buffer));
}

function toWav(data: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
