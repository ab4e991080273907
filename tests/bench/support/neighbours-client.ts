import { Agent, FormData, request } from 'undici';
import { setTimeout as sleep } from 'node:timers/promises';

export type Org = { orgId: string; projectId: string; token: string };
export type Client = ReturnType<typeof createClient>;
export type Answer = { status: number; tookMs: number; body: string };

/** What clients and proxies have patience for. */
const answerTimeoutMs = 60_000;

/** What an organization sends. A request that is not answered in time, or at all, has the status 0. */
export function createClient(baseUrl: string, { orgId, projectId, token }: Org) {
  const dispatcher = new Agent({ connections: 100, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs });
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };

  async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> {
    const from = performance.now();
    const isForm = body instanceof FormData;
    try {
      const answer = await request(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
        dispatcher,
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, tookMs: performance.now() - from, body: text };
    } catch {
      return { status: 0, tookMs: performance.now() - from, body: '' };
    }
  }

  /** The data of an answer that has to be a good one, whenever the service has the time for it. */
  async function need(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
    for (;;) {
      const answer = await ask(method, path, body);
      if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.body).data;
      if (answer.status >= 400 && answer.status < 500) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 500)}`);
      }
      await sleep(500);
    }
  }

  return {
    projectId,
    ask,
    need,
    get: (path: string) => ask('GET', path),
    /** A call with its transcript, or with none where that is null. */
    upload: (call: Call) => ask('POST', '/api/v1/records/upload', formOf(projectId, call)),
    /** Uploads and waits until the call is scored, or given up. Gives its ids. */
    async process(call: Call): Promise<{ recordId: string; analysisId: string | null }> {
      const { id } = await need('POST', '/api/v1/records/upload', formOf(projectId, call));
      for (;;) {
        const record = await need('GET', `/api/v1/records/${id}`);
        if (record.status === 'completed' || record.status === 'failed') {
          return { recordId: id, analysisId: record.analysisId };
        }
        await sleep(50);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

export type Call = { transcript: string | null; sizeBytes?: number };

function formOf(projectId: string, { transcript, sizeBytes = 16_044 }: Call): FormData {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('metadata', JSON.stringify({ agentName: 'Maria Lopez', customerPhone: '+447700900123' }));
  if (transcript !== null) form.set('transcript', new Blob([transcript]), 'call.vtt');
  form.set('file', new Blob([silence(sizeBytes)]), 'call.wav');
  return form;
}

/** 8 kHz, one channel of 16 bits. */
function silence(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(sizeBytes));
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(sizeBytes - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(sizeBytes - 44, 40);
  return bytes;
}

const words = (
  'the of to and a in is it you that i will your can we for this have please order account number today thank calling ' +
  'help refund card payment delivery address email name service customer problem sorry understand moment check system ' +
  'moving house invoice amount month contract cancel subscription change update phone line internet password reset link ' +
  'sent minutes days week morning afternoon available agent manager speak hold right great okay yes no well just like ' +
  'think know going want need make sure first second time again before after because about there where when which'
).split(' ');

/** Frequent ones first, as people speak; the same for the same seed. */
export function createSpeech(seed: number): (count: number) => string {
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return (count) =>
    Array.from({ length: count }, () => words[Math.floor(words.length ** random()) - 1] ?? 'well').join(' ');
}

/** The words that most calls have, for searches that find everything. */
export const frequentWords: readonly string[] = words.filter((word) => word.length > 4);

/** WebVTT in which two voices take turns. */
export function vttOf(seed: number, { cues, wordsEach }: { cues: number; wordsEach: number }): string {
  const speak = createSpeech(seed);
  const lines = Array.from({ length: cues }, (_, index) => {
    const voice = index % 2 === 0 ? 'Agent' : 'Customer';
    return `${clock(index * 1000)} --> ${clock(index * 1000 + 900)}\n<v ${voice}>${speak(wordsEach)}\n`;
  });
  return `WEBVTT\n\n${lines.join('\n')}`;
}

function clock(ms: number): string {
  const pad = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
}
