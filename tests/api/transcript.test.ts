import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;
let url: string;
let pending: string;

const supplied = `WEBVTT

00:00:01.000 --> 00:00:02.500
<v Agent>Good morning, how can I help?

00:00:03.000 --> 00:00:04.000
<v Customer>I want 5 < 6 & more
`;

/** A call of one track: nobody is named. */
const lines = [
  'Miller’s Garage, Pete speaking, how can I help you?',
  'Hi, I would like to know whether my car is ready.',
  'Can I have your registration number please?',
  'It is four seven two nine.',
  'Thank you. Your car is ready, you can collect it today.',
  'Great, thank you very much. Mhm.',
  'Is there anything else I can help you with?',
  'No, that is all. Bye.',
];
const oneTrack = `WEBVTT\n\n${lines
  .map(
    (text, at) =>
      `00:00:${String(at * 5).padStart(2, '0')}.000 --> 00:00:${String(at * 5 + 4).padStart(2, '0')}.000\n${text}\n`,
  )
  .join('\n')}`;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  url = `/api/v1/records/${await ingest('transcribed', supplied)}/transcript`;
  pending = `/api/v1/records/${await ingest('waiting')}/transcript`;
});
afterAll(() => t.close());

async function ingest(externalId: string, transcript?: string): Promise<string> {
  const recordingUrl = 'https://recordings.example.com/call.mp3';
  const payload = { externalId, projectId: owner.projectId, recordingUrl, transcript };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
  return body.data.id;
}

describe('GET /records/:id/transcript', () => {
  it('answers JSON in the envelope unless another format is asked for', async () => {
    const answer = await t.as(owner, { url });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': expect.any(String) },
      body: {
        data: {
          source: 'supplied',
          speakers: [{ role: 'agent' }, { role: 'customer' }],
          segments: [
            { index: 0, role: 'agent', startMs: 1000, endMs: 2500, text: 'Good morning, how can I help?' },
            { index: 1, role: 'customer', startMs: 3000, endMs: 4000 },
          ],
        },
      },
    });
    expect(await t.as(owner, { url: `${url}?format=json` })).toMatchObject({ body: answer.body });
  });

  it('shows the roles of a call on one track as told from what is said, in every format', async () => {
    const path = `/api/v1/records/${await ingest('one-track', oneTrack)}/transcript`;
    const { body } = await t.as(owner, { url: path });
    const said: { speaker: string; role: string; roleInferred?: boolean }[] = body.data.segments;
    expect(said.filter(({ roleInferred }) => roleInferred).length).toBeGreaterThan(5);
    expect(said.every(({ role, roleInferred }, at) => !roleInferred || role === (at % 2 ? 'customer' : 'agent'))).toBe(
      true,
    );
    expect(body.data.speakers).toEqual(
      expect.arrayContaining([
        { id: said[0]?.speaker, role: 'agent', name: null, roleInferred: true },
        { id: said[1]?.speaker, role: 'customer', name: null, roleInferred: true },
      ]),
    );
    const written = async (format: string): Promise<string> =>
      (await t.as(owner, { url: `${path}?format=${format}` })).body;
    expect(await written('vtt')).toContain('<v.agent.inferred Agent>Is there anything else');
    expect(await written('srt')).toContain('Customer (inferred): Hi, I would like');
    expect(await written('txt')).toContain('[00:00:05] Customer (inferred): Hi, I would like');
  });

  it.each(['json', 'vtt', 'srt'])(
    'tells them anew, not as known, where they are supplied again as %s',
    async (format) => {
      const path = `/api/v1/records/${await ingest(`again-${format}`, oneTrack)}/transcript`;
      const { body: first } = await t.as(owner, { url: path });
      const { body: file } = await t.as(owner, { url: `${path}?format=${format}` });
      const again = await ingest(`twice-${format}`, format === 'json' ? JSON.stringify(file.data) : file);
      const { body: second } = await t.as(owner, { url: `/api/v1/records/${again}/transcript` });
      const told = ({ data }: typeof first): unknown[] =>
        data.segments.map(({ role, roleInferred, text }: Record<string, unknown>) => [role, roleInferred, text]);
      expect(told(second)).toEqual(told(first));
    },
  );

  it.each([
    { format: 'vtt', type: 'text/vtt', holds: ['WEBVTT', '00:00:01.000 --> 00:00:02.500', '5 &lt; 6 &amp; more'] },
    { format: 'srt', type: 'application/x-subrip', holds: ['1\n00:00:01,000 --> 00:00:02,500', '5 < 6 & more'] },
    { format: 'txt', type: 'text/plain', holds: ['[00:00:01] Agent: Good morning, how can I help?'] },
  ])('writes $format under its media type', async ({ format, type, holds }) => {
    const answer = await t.as(owner, { url: `${url}?format=${format}` });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': `${type}; charset=utf-8` } });
    for (const text of holds) expect(answer.body).toContain(text);
  });

  it.each(['pdf', 'VTT', '', 'json&format=vtt'])('refuses the format %j', async (format) => {
    const answer = await t.as(owner, { url: `${url}?format=${format}` });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'format' }] } },
    });
  });

  it('checks in the order of the contract: credential, organization, membership, format, record, readiness', async () => {
    const bad = `${url}?format=pdf`;
    const { authorization, 'x-selected-org-id': org } = owner.headers;
    const stranger = await t.createOrg();
    const unknown = '/api/v1/records/rec_unknown/transcript';
    const answers = await Promise.all([
      t.app.inject({ url: bad, headers: { 'x-selected-org-id': org } }),
      t.app.inject({ url: bad, headers: { authorization } }),
      t.app.inject({ url: bad, headers: { authorization, 'x-selected-org-id': stranger.orgId } }),
      t.app.inject({ url: `${unknown}?format=pdf`, headers: owner.headers }),
      t.app.inject({ url: unknown, headers: owner.headers }),
      t.app.inject({ url, headers: stranger.headers }),
      t.app.inject({ url: pending, headers: owner.headers }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 400, 403, 400, 404, 404, 409]);
    expect(answers.at(4)?.json()).toEqual(answers.at(5)?.json());
  });

  it('shows an agent the transcripts of their own calls only', async () => {
    const agent = await t.addMember(owner, 'agent');
    const answer = await t.as(agent, { url });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  it('answers HEAD without a body, and another method with 405', async () => {
    const head = await t.as(owner, { method: 'HEAD', url });
    expect(head).toMatchObject({ status: 200, body: '' });
    const post = await t.as(owner, { method: 'POST', url });
    expect(post).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

describe('GET /records/:id/captions', () => {
  const captions = (): string => url.replace(/transcript$/, 'captions');

  it.each([
    { format: 'vtt', type: 'text/vtt' },
    { format: 'srt', type: 'text/srt' },
    { format: 'txt', type: 'text/plain' },
  ])('has the words of the transcript as $format, under a type of text', async ({ format, type }) => {
    const answer = await t.as(owner, { url: `${captions()}?format=${format}` });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': `${type}; charset=utf-8` } });
    expect(answer.body).toBe((await t.as(owner, { url: `${url}?format=${format}` })).body);
  });

  it('are WebVTT where no format is asked for', async () => {
    const answer = await t.as(owner, { url: captions() });
    expect(answer.body).toBe((await t.as(owner, { url: `${url}?format=vtt` })).body);
    const again = await t.as(owner, { url: captions(), headers: { 'if-none-match': String(answer.headers['etag']) } });
    expect(again.status).toBe(304);
  });

  it.each(['json', 'pdf', ''])('refuse the format %j', async (format) => {
    const answer = await t.as(owner, { url: `${captions()}?format=${format}` });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'format' }] } } });
  });

  it('are 409 until there is a transcript, and 404 to strangers', async () => {
    const notYet = await t.as(owner, { url: pending.replace(/transcript$/, 'captions') });
    expect(notYet).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await t.as(await t.createOrg(), { url: captions() })).status).toBe(404);
  });
});
