import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestApp, TestMember } from '../support/app.ts';

export type Part = { name: string; fileName?: string; type?: string; content: Buffer | string };

export const boundary = '----earshot-test-boundary';

/** The bytes of one part, its delimiter before it and its line end behind it. */
export function partBytes({ name, fileName, type, content }: Part): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  const contentType = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${contentType}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

export function formBytes(parts: Part[]): Buffer {
  return Buffer.concat([...parts.map(partBytes), Buffer.from(`--${boundary}--\r\n`)]);
}

export const formType = `multipart/form-data; boundary=${boundary}`;

export type Answer = { status: number; headers: IncomingHttpHeaders; body: ReturnType<typeof JSON.parse> };

/** Opens a POST to the upload route over a real socket; the caller writes the body. */
export function openUpload(
  baseUrl: string,
  headers: Record<string, string>,
): { req: ClientRequest; answer: Promise<Answer> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const req = request(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers }, (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text === '' ? undefined : JSON.parse(text) });
    });
    res.on('error', reject);
  });
  req.on('error', reject);
  answer.catch(() => {});
  return { req, answer };
}

/** Uploads the parts as that member and gives the answer. */
export async function send(
  baseUrl: string,
  { member, parts, headers = {} }: { member: TestMember; parts: Part[]; headers?: Record<string, string> },
): Promise<Answer> {
  const { req, answer } = openUpload(baseUrl, { ...member.headers, 'content-type': formType, ...headers });
  req.end(formBytes(parts));
  return answer;
}

/** What an organization has in the database and in the storage: after a refused upload, nothing more than before. */
export async function leftovers(t: TestApp): Promise<{ records: number; uploads: number; files: number }> {
  const { system } = t.deps.connections;
  const [row] = await system<{ records: number; uploads: number }[]>`
    select (select count(*)::int from records) as records, (select count(*)::int from uploads) as uploads`;
  const entries = await readdir(join(t.dataDir, 'objects'), { recursive: true, withFileTypes: true }).catch(() => []);
  return {
    records: row?.records ?? -1,
    uploads: row?.uploads ?? -1,
    files: entries.filter((entry) => entry.isFile()).length,
  };
}

/** A tone of the format that ffmpeg's options ask for, as bytes. */
export async function makeAudio(format: string, options = ''): Promise<Buffer> {
  const given = options.split(' ').filter(Boolean);
  const source = 'sine=frequency=440:duration=2:sample_rate=16000';
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, ...given, '-f', format, 'pipe:1'];
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 10_000_000 });
  return stdout;
}

/** A WAV of that many bytes in all, silent, with a header that is right about it. */
export function wavHeader(sizeBytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(sizeBytes - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(sizeBytes - 44, 40);
  return header;
}
