import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactProject } from '../../src/domain/processing/redact-record.ts';
import { toSegment } from '../redaction/marked.ts';
import { send } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { levelsOf } from '../support/loudness.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { atRest } from './support/invariants.ts';
import { startRecordingServer } from './support/recording-server.ts';

const api = '/api/v1';
type Body = ReturnType<typeof JSON.parse>;

const lines: [speaker: 'agent' | 'customer', text: string][] = [
  ['agent', 'Thank you for calling Northwind Energy, my name is Sarah. How can I help you today?'],
  ['customer', 'Hi, I would like to pay my bill. My card number is 4929 1234'],
  ['agent', 'mm-hm'],
  ['customer', '5678 9014 and my phone number is 212 555 0187.'],
  ['agent', 'Thank you. So your phone number is 212 555 0187, is that right?'],
  ['customer', 'Yes. Write to canary.person at gmail dot com please.'],
  ['agent', 'I have paid the bill for you. Is there anything else I can help you with?'],
  ['customer', 'No, thank you.'],
  ['agent', 'Thank you for calling Northwind Energy. Goodbye.'],
];
const canaries = ['4929', '5678', '9014', '492912345678', '555 0187', '2125550187', 'canary.person', 'canary'];

let startMs = 0;
const segments = lines.map(([role, text], index) => {
  const { words, endMs } = toSegment({ text, startMs });
  const segment = { index, speaker: role, role, channel: 0, startMs, endMs, text, words };
  startMs = endMs + 200;
  return segment;
});
const durationMs = startMs;
const transcript = JSON.stringify({ language: 'en', segments });

let t: TestApp;
let deepgram: DeepgramServer;
let baseUrl: string;
let owner: TestMember;
let supervisor: TestMember;
let agent: TestMember;
let recording: Buffer;
let recordId: string;
const log: string[] = [];

beforeAll(async () => {
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  deepgram = await startDeepgram([]);
  t = await createTestApp({
    env: {
      LOG_LEVEL: 'debug',
      SPEECH_ENGINE: 'deepgram',
      DEEPGRAM_API_KEY: 'key',
      DEEPGRAM_BASE_URL: deepgram.baseUrl,
      OUTBOUND_ALLOW: '127.0.0.1',
    },
    log: lines,
  });
  baseUrl = await t.listen();
  owner = await t.createOrg();
  supervisor = await t.addMember(owner, 'supervisor');
  agent = await t.addMember(owner, 'agent');
  const file = path.join(t.dataDir, 'tone.wav');
  const tone = `aevalsrc=0.5*sin(440*2*PI*t):s=8000:d=${durationMs / 1000}`;
  spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, file]);
  recording = await readFile(file);
  await setRedaction(true);
  recordId = await upload();
  await completed(recordId);
});
afterAll(async () => {
  await t.close();
  await deepgram.close();
});

async function setRedaction(redactPii: boolean): Promise<void> {
  const url = `${api}/projects/${owner.projectId}`;
  await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii } } });
}

async function upload(member = owner, given: string | null = transcript): Promise<string> {
  const { body } = await send(baseUrl, {
    member,
    parts: [
      { name: 'projectId', content: owner.projectId },
      ...(given === null ? [] : [{ name: 'transcript', content: given }]),
      { name: 'file', fileName: 'call.wav', content: recording },
    ],
  });
  return body.data.id;
}

const get = async (path: string, member = owner) => t.as(member, { url: `${api}${path}` });
const read = async (path: string, member = owner): Promise<Body> => (await get(path, member)).body.data;

async function completed(id: string): Promise<Body> {
  return eventually(async () => {
    const record = await read(`/records/${id}`);
    return record.status === 'completed' ? record : undefined;
  });
}

type Listening = {
  member: TestMember;
  query?: string;
  headers?: Record<string, string>;
  id?: string;
  method?: 'GET' | 'HEAD';
};

async function listen({ member, query = '', headers = {}, id = recordId, method = 'GET' }: Listening) {
  const url = `${api}/records/${id}/audio${query}`;
  const answer = await t.app.inject({ method, url, headers: { ...member.headers, ...headers } });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

/** As soon as the pipeline has made it. */
async function listenMuted(listening: Listening) {
  return eventually(async () => {
    const answer = await listen(listening);
    return answer.status === 409 ? undefined : answer;
  });
}

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** A group of four digits counts as a word of its own: within a duration, a time or an id it is there by chance. */
function canariesIn(text: string): string[] {
  const said = text.replaceAll(uuid, 'uuid');
  return canaries.filter((canary) =>
    /^\d{4}$/.test(canary) ? new RegExp(`(?<![\\w.:,]|: )${canary}(?!\\w)`).test(said) : said.includes(canary),
  );
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  return asAdmin(t.deps.config.DATABASE_URL ?? '', async (sql) => {
    const tables = await sql`select tablename from pg_tables where schemaname = 'public'`;
    const rows = await Promise.all(tables.map(({ tablename }) => sql`select t::text from ${sql(tablename)} t`));
    return JSON.stringify(rows);
  });
}

describe('a call of a project that redacts', () => {
  it('has placeholders in its transcript, with the stretches that were taken out', async () => {
    const { segments, text, redactions } = await read(`/records/${recordId}/transcript`);
    expect(segments.map(({ text }: Body) => text)).toEqual([
      lines[0]?.[1],
      'Hi, I would like to pay my bill. My card number is [card number]',
      'mm-hm',
      '[card number] and my phone number is [phone number].',
      'Thank you. So your phone number is [phone number], is that right?',
      'Yes. Write to [e-mail address] please.',
      ...lines.slice(6).map(([, text]) => text),
    ]);
    expect(text).toBe(segments.map(({ text }: Body) => text).join('\n'));
    const kinds = ['card_number', 'card_number', 'phone_number', 'phone_number', 'email'];
    expect(redactions.map(({ kind }: Body) => kind)).toEqual(kinds);
    const [first] = redactions;
    expect(first).toEqual({
      kind: 'card_number',
      segmentId: segments[1].id,
      startMs: segments[1].startMs + 12 * 400,
      endMs: segments[1].endMs,
    });
    expect(segments[1].words.at(-1)).toEqual({
      text: '[card number]',
      startMs: first.startMs,
      endMs: first.endMs,
      confidence: null,
    });
  });

  it.each(['vtt', 'srt', 'txt'])('is exported as %s without what was taken out', async (format) => {
    const { body } = await get(`/records/${recordId}/transcript?format=${format}`);
    expect(body).toContain('card number]');
    expect(canariesIn(body)).toEqual([]);
  });

  it('is scored and found without it', async () => {
    const { analysisId } = await completed(recordId);
    expect(canariesIn(JSON.stringify(await read(`/analyses/${analysisId}`)))).toEqual([]);
    expect((await get('/search?q=northwind')).body.meta.total).toBeGreaterThan(0);
    for (const word of ['4929', '0187', 'canary']) {
      expect((await get(`/search?q=${word}`)).body.meta.total).toBe(0);
    }
  });

  it('counts a number that is read back as read back', async () => {
    const { analysisId } = await completed(recordId);
    const { checks } = await read(`/analyses/${analysisId}`);
    const check = checks.find(({ key }: Body) => key === 'problem.details');
    expect(check.answer).not.toBe('fail');
    expect(check.evidence.some(({ quote }: Body) => quote.includes('[phone number]'))).toBe(true);
  });

  it('leaves none of it in any table, file or line of the log', async () => {
    // The silent recording has been made, and no file goes while it is read.
    await atRest(t.deps.connections.system, { isHurried: false, timeoutMs: 15_000 });
    expect(canariesIn(await dump())).toEqual([]);
    expect(canariesIn(log.join(''))).toEqual([]);
    for (const entry of await readdir(t.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name === 'tone.wav') continue;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      expect(canariesIn(bytes.toString('latin1'))).toEqual([]);
    }
  });
});

describe('its recording', () => {
  it('is silent for a supervisor where something was taken out, and sounds everywhere else', async () => {
    const { status, headers, bytes } = await listenMuted({ member: supervisor });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('audio/wav');
    const file = path.join(t.dataDir, 'heard.wav');
    await writeFile(file, bytes);
    const [level] = levelsOf(file);
    const { redactions } = await read(`/records/${recordId}/transcript`);
    for (const { startMs, endMs } of redactions) expect(level?.(startMs, endMs)).toBe(0);
    expect(level?.(0, 9_000)).toBeGreaterThan(0.3);
    expect(level?.(redactions.at(-1).endMs + 400, durationMs - 100)).toBeGreaterThan(0.3);
  });

  it('is whole for the owner, who may ask for the muted one', async () => {
    expect((await listen({ member: owner })).bytes.equals(recording)).toBe(true);
    const muted = await listenMuted({ member: owner, query: '?redacted=true' });
    expect(muted.bytes.equals(recording)).toBe(false);
    expect(muted.bytes.equals((await listen({ member: supervisor })).bytes)).toBe(true);
  });

  it('is refused whole to everybody below admin', async () => {
    expect(await listen({ member: supervisor, query: '?redacted=false' })).toMatchObject({ status: 403 });
    expect(await listen({ member: agent, query: '?redacted=false' })).toMatchObject({ status: 404 });
    expect(await listen({ member: owner, query: '?redacted=maybe' })).toMatchObject({ status: 400 });
  });

  it('comes in ranges that are those of the muted file, never of the other', async () => {
    const { headers, bytes } = await listenMuted({ member: supervisor });
    const head = await listen({ member: supervisor, method: 'HEAD' });
    expect(head).toMatchObject({
      status: 200,
      headers: { etag: headers.etag, 'content-length': String(bytes.length) },
    });
    for (const [from, to] of [
      [0, 99],
      [50_000, 90_000],
      [bytes.length - 10, bytes.length - 1],
    ] as const) {
      const part = await listen({ member: supervisor, headers: { range: `bytes=${from}-${to}` } });
      expect(part).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes ${from}-${to}/${bytes.length}`, etag: headers.etag },
      });
      expect(part.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
    }
    const whole = await listen({ member: owner });
    const mixed = { range: 'bytes=0-99', 'if-range': String(whole.headers.etag) };
    expect(await listen({ member: supervisor, headers: mixed })).toMatchObject({ status: 200 });
    const known = { 'if-none-match': String(headers.etag) };
    expect(await listen({ member: supervisor, headers: known })).toMatchObject({ status: 304 });
    expect(await listen({ member: owner, headers: known })).toMatchObject({ status: 200 });
  });

  it('goes with its record, the muted one too', async () => {
    const id = await upload();
    await completed(id);
    await listenMuted({ member: supervisor, id });
    const folder = path.join(t.dataDir, 'objects', owner.orgId);
    const objectsOf = async () => (await readdir(folder)).filter((name) => name.startsWith(id));
    expect(await objectsOf()).toHaveLength(2);
    await t.as(owner, { method: 'DELETE', url: `${api}/records/${id}` });
    const left = await eventually(async () => {
      const names = await objectsOf();
      return names.length === 0 ? 'nothing' : undefined;
    });
    expect(left).toBe('nothing');
  });
});

async function waveformOf(member: TestMember, id = recordId): Promise<Body> {
  const input = encodeURIComponent(JSON.stringify({ json: { id } }));
  const { body } = await t.as(member, { url: `/api/trpc/records.waveform?input=${input}` });
  return body.result.data.json;
}

describe('its waveform', () => {
  it('is flat for a supervisor where the recording is silent, and that of the whole recording for the owner', async () => {
    await listenMuted({ member: supervisor });
    const whole = await eventually(async () => (await waveformOf(owner)) ?? undefined);
    const muted = await waveformOf(supervisor);
    expect(muted).toMatchObject({ durationMs: whole.durationMs, points: whole.points });
    const { redactions } = await read(`/records/${recordId}/transcript`);
    const levelsOf = ({ channels }: Body, from: number, to: number): number[] => {
      const at = (ms: number): number => Math.floor((ms * whole.points) / whole.durationMs);
      return [...Buffer.from(channels[0], 'base64').subarray(at(from), at(to) + 1)];
    };
    for (const { startMs, endMs } of redactions) {
      expect(Math.min(...levelsOf(whole, startMs, endMs))).toBeGreaterThan(100);
      expect(Math.max(...levelsOf(muted, startMs - 150, endMs + 100))).toBe(0);
    }
    expect(Math.min(...levelsOf(muted, 1000, 9000))).toBeGreaterThan(100);
  });

  it('is not shown to a supervisor while there is no muted recording', async () => {
    const id = await upload();
    await completed(id);
    await eventually(async () => (await waveformOf(owner, id)) ?? undefined);
    await listenMuted({ member: supervisor, id });
    await asAdmin(t.deps.config.DATABASE_URL ?? '', (sql) => sql`delete from muted_recordings where record_id = ${id}`);
    expect(await listen({ member: supervisor, id })).toMatchObject({ status: 409 });
    expect(await waveformOf(supervisor, id)).toBeNull();
    expect(await waveformOf(owner, id)).not.toBeNull();
  });
});

async function reanalysed(analysisId: string, retranscribe: boolean): Promise<void> {
  const { profileId } = await read(`/projects/${owner.projectId}`);
  const url = `${api}/analyses/${analysisId}/re-analyze`;
  const asked = await t.as(owner, { method: 'POST', url, payload: { profileId, retranscribe } });
  const ended = await eventually(async () => {
    const { status } = await read(`/analyses/${asked.body.data.id}`);
    return ['completed', 'failed'].includes(status) ? status : undefined;
  });
  if (ended !== 'completed') throw new Error('The re-analysis has failed.');
}

describe('whoever transcribes a call', () => {
  it('a recogniser: what it hears is redacted, the first time and when it is asked again', async () => {
    deepgram.said = [
      { speaker: 0, start: 1, end: 3, text: 'thank you for calling may i have your card number' },
      {
        speaker: 1,
        start: 4,
        end: 12,
        text: 'four nine two nine one two three four five six seven eight nine zero one four',
      },
    ];
    const id = await upload(owner, null);
    const { analysisId } = await completed(id);
    const first = await read(`/records/${id}/transcript`);
    expect(first.text).toBe('thank you for calling may i have your card number\n[card number]');
    expect(first.redactions).toMatchObject([{ kind: 'card_number', startMs: 4000, endMs: 12_000 }]);
    const before = await listenMuted({ member: supervisor, id });
    deepgram.said = [{ speaker: 0, start: 15, end: 18, text: 'my email is canary dot person at gmail dot com' }];
    await reanalysed(analysisId, true);
    expect((await read(`/records/${id}/transcript`)).text).toBe('my email is [e-mail address]');
    const after = await eventually(async () => {
      const heard = await listen({ member: supervisor, id });
      return heard.status === 200 && !heard.bytes.equals(before.bytes) ? heard : undefined;
    });
    const file = path.join(t.dataDir, 'both.wav');
    await writeFile(file, after.bytes);
    // Silent is what any of its transcripts has lost.
    const [level] = levelsOf(file);
    for (const [from, to] of [
      [4000, 12_000],
      [16_000, 18_000],
    ] as const) {
      expect(level?.(from, to)).toBe(0);
    }
    expect(level?.(12_500, 14_500)).toBeGreaterThan(0.3);
    expect(canariesIn(await dump())).toEqual([]);
  });

  it('a telephony system that names speakers by their numbers, and has the recording elsewhere', async () => {
    const server = await startRecordingServer((_req, res) =>
      res.writeHead(200, { 'content-type': 'audio/wav' }).end(recording),
    );
    const vtt = [
      'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Agent>Thank you for calling.\n',
      '00:04.000 --> 00:06.000\n<v +1 212 555 0187>My phone number is 212 555 0187.\n',
    ].join('\n');
    try {
      const { body } = await t.as(owner, {
        method: 'POST',
        url: `${api}/records/ingest`,
        payload: {
          externalId: 'named-by-number',
          projectId: owner.projectId,
          recordingUrl: server.url('/1.wav'),
          transcript: vtt,
        },
      });
      await completed(body.data.id);
      const { speakers, text } = await read(`/records/${body.data.id}/transcript`);
      expect(speakers.map(({ name }: Body) => name)).toEqual([null, '[phone number]']);
      expect(text).toContain('My phone number is [phone number].');
      const { status, bytes } = await listenMuted({ member: supervisor, id: body.data.id });
      expect(status).toBe(200);
      expect(bytes.equals(recording)).toBe(false);
      expect(canariesIn(await dump())).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('a call that was processed before its project redacts', () => {
  it('is played to nobody below admin until it is redacted, which a re-analysis does', async () => {
    await setRedaction(false);
    const id = await upload(supervisor);
    const { analysisId } = await completed(id);
    expect((await read(`/records/${id}/transcript`)).redactions).toBeNull();
    expect(await listen({ member: supervisor, id })).toMatchObject({ status: 200 });
    expect(await listen({ member: supervisor, id, query: '?redacted=true' })).toMatchObject({ status: 409 });
    await setRedaction(true);
    expect(await listen({ member: supervisor, id })).toMatchObject({ status: 409 });
    expect((await listen({ member: owner, id })).bytes.equals(recording)).toBe(true);
    await reanalysed(analysisId, false);
    expect(canariesIn(await dump())).toEqual([]);
    const { status, bytes } = await listenMuted({ member: supervisor, id });
    expect(status).toBe(200);
    expect(bytes.equals(recording)).toBe(false);
  });

  it('is redacted by the operator as well, together with what was said of it', async () => {
    await setRedaction(false);
    const id = await upload();
    const { analysisId } = await completed(id);
    const deps = t.deps.services;
    const scope = { orgId: owner.orgId, projectId: owner.projectId };
    await expect(redactProject(deps, scope)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(redactProject(deps, { ...scope, projectId: 'prj_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const before = await read(`/analyses/${analysisId}`);
    expect(canariesIn(JSON.stringify(before))).not.toEqual([]);
    await setRedaction(true);
    expect(await redactProject(deps, scope)).toEqual({ redacted: 1 });
    expect(await redactProject(deps, scope)).toEqual({ redacted: 0 });
    const after = await read(`/analyses/${analysisId}`);
    expect(canariesIn(JSON.stringify(after))).toEqual([]);
    expect(canariesIn(await dump())).toEqual([]);
    const answersOf = ({ checks }: Body) => checks.map(({ key, answer, score }: Body) => [key, answer, score]);
    expect(answersOf(after)).toEqual(answersOf(before));
    expect((await listenMuted({ member: supervisor, id })).status).toBe(200);
  });
});
