import { randomUUID } from 'node:crypto';
import { startBitrix24 } from '../../support/bitrix24-server.ts';
import { startDeepgram } from '../../support/deepgram-server.ts';
import { startMailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { startModelServer, type ModelReply, type ModelRequest } from '../../support/model-server.ts';
import { bitrixEnv, callEnd } from '../../support/portal.ts';
import { silentWav, startRecordingServer, toneWav } from './recording-server.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Everybody whom a service speaks to: each answers by what it is asked for, so that calls can go on side by side. */
export type World = Awaited<ReturnType<typeof startWorld>>;

const refusedName = 'Ida Refused';
const wav = silentWav(1500);
const tone = toneWav(12_000);

export async function startWorld() {
  const [bitrix, speech, mail, model] = await Promise.all([
    startBitrix24(),
    startDeepgram([
      { speaker: 0, start: 0.4, end: 3.2, text: 'Thank you for calling Acme, this is Vera. How can I help?' },
      { speaker: 1, start: 3.6, end: 7.1, text: 'Call me on 4 4 7 7 0 0 9 0 0 1 2 3 please.' },
      { speaker: 0, start: 7.5, end: 10.8, text: 'Done. Thank you for calling, goodbye.' },
    ]),
    startMailServer(),
    startModelServer(answer),
  ]);
  const busyAt: number[] = [];
  const recordings = await startRecordingServer((req, res, hit) => {
    if (req.url === '/busy-once.wav') busyAt.push(Date.now());
    if (req.url === '/gone') return void res.writeHead(404).end();
    if (req.url === '/page') return void res.end('<html>Log in first</html>'.repeat(100));
    if (req.url === '/busy-once.wav' && hit === 1) return void res.writeHead(503, { 'retry-after': '1' }).end();
    return void res.end(req.url === '/tone.wav' ? tone : wav);
  });
  const receiver = await startReceiver((res, { path }, hit) => {
    const isFailing = path === '/fails-once' && hit === 1;
    res.writeHead(isFailing ? 500 : path === '/gone' ? 410 : 204).end();
  });
  const answerMail: typeof mail.answer = (address) =>
    address.startsWith('gone') ? { code: 550, text: '5.1.1 no such user' } : undefined;
  mail.answer = answerMail;

  /** Meanwhile the mail server puts everybody off. */
  async function withoutMail(work: () => Promise<void>): Promise<void> {
    mail.answer = () => ({ code: 451, text: '4.7.1 later' });
    await work();
    mail.answer = answerMail;
  }

  /** What a portal has of a call, with its recording on its disk. */
  function addPortalCall(): { callId: string; entityId: string } {
    const callId = randomUUID();
    const entityId = String(Math.floor(Math.random() * 1e9) + 1);
    const path = `/disk/${callId}.wav`;
    const fileId = String(1 + bitrix.portal.disk.size);
    bitrix.portal.files.set(path, tone);
    bitrix.portal.disk.set(fileId, bitrix.portal.urlOf(path));
    bitrix.portal.statistics.push({
      ...callEnd(callId),
      CALL_START_DATE: new Date(Date.now() - 60_000).toISOString().replace('Z', '+00:00'),
      CRM_ENTITY_TYPE: 'DEAL',
      CRM_ENTITY_ID: entityId,
      RECORD_FILE_ID: fileId,
      CALL_RECORD_URL: '',
      CALL_ID: callId,
    });
    return { callId, entityId };
  }

  const env: Record<string, string> = {
    ...bitrixEnv(bitrix),
    OUTBOUND_ALLOW: '127.0.0.1',
    PUBLIC_URL: 'https://calls.example.com',
    SPEECH_ENGINE: 'deepgram',
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: speech.baseUrl,
    ANALYSIS_ENGINE: 'model',
    ANALYSIS_MODEL: 'scripted',
    ANALYSIS_PRICE_INPUT_PER_MILLION: '2.5',
    ANALYSIS_PRICE_OUTPUT_PER_MILLION: '10',
    PRICE_ANALYSIS_PER_RECORD: '0.01',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key',
    SMTP_URL: mail.url,
    MAIL_FROM: 'calls@example.com',
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: '8',
  };

  async function close(): Promise<void> {
    await Promise.all([
      bitrix.close(),
      speech.close(),
      mail.stop(),
      model.close(),
      recordings.close(),
      receiver.close(),
    ]);
  }

  const mailsTo = (address: string): ReceivedMail[] => mail.received.filter(({ to }) => to.includes(address));
  return { env, bitrix, recordings, busyAt, receiver, tone, refusedName, mailsTo, withoutMail, addPortalCall, close };
}

/** What a good model makes of a call; of one that it does not want to see, nothing. */
function answer({ questions, lines }: ModelRequest): ModelReply {
  if (lines.some(({ text }) => text.includes(refusedName))) return { status: 401 };
  const [first] = lines;
  const quotes = first ? [{ segment: first.n, text: first.text }] : [];
  const answers = questions.map(({ id }) => ({ id, answer: 'pass', rationale: 'It is said.', quotes }));
  const body = { answers, summary: [], improvements: [], topics: [], actionItems: [] };
  return { text: JSON.stringify(body), input: 4000, output: 500 };
}
