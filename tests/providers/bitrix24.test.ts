import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBitrix24 } from '../../src/providers/crm/bitrix24.ts';
import { toCallFacts } from '../../src/providers/crm/bitrix24-calls.ts';
import { readRecordingAddress } from '../../src/providers/crm/bitrix24-telephony.ts';
import { commentOf, toUtterances } from '../../src/domain/portals/reports.ts';
import { startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { processorMsOf } from '../support/processor-time.ts';

const row = {
  CALL_ID: 'c1',
  CALL_TYPE: '2',
  PHONE_NUMBER: '+447700900123',
  PORTAL_USER_ID: '7',
  CALL_DURATION: '64',
  CALL_START_DATE: '2026-03-02T10:58:10+02:00',
  CALL_FAILED_CODE: '200',
};

describe('a row of the call statistics', () => {
  it('tells all that a record needs', () => {
    const entity = { CRM_ENTITY_TYPE: 'CONTACT', CRM_ENTITY_ID: 815, CRM_ACTIVITY_ID: '51' };
    expect(toCallFacts({ ...row, ...entity, RECORD_FILE_ID: 9, CALL_RECORD_URL: '' })).toEqual({
      callId: 'c1',
      kind: 'inbound',
      portalUserId: '7',
      phone: '+447700900123',
      durationSeconds: 64,
      startedAt: new Date('2026-03-02T08:58:10Z'),
      isConnected: true,
      crm: { entityType: 'contact', entityId: '815', activityId: '51' },
      recording: { url: null, fileId: '9' },
    });
  });

  it.each([
    ['1', 'outbound'],
    ['2', 'inbound'],
    ['3', 'inbound'],
    ['4', 'outbound'],
    ['5', 'information'],
  ])('of type %s is %s', (CALL_TYPE, kind) => {
    expect(toCallFacts({ ...row, CALL_TYPE })?.kind).toBe(kind);
  });

  it('says nothing of what is missing, empty or no such value', () => {
    const nothing = { portalUserId: null, durationSeconds: null, startedAt: null, crm: null, recording: null };
    expect(toCallFacts({ CALL_ID: 'c1' })).toMatchObject({ ...nothing, phone: null, isConnected: null });
    const odd = {
      PORTAL_USER_ID: '0',
      CALL_DURATION: '-1',
      CALL_START_DATE: '02.03.2026 10:58',
      CRM_ENTITY_TYPE: 'LEAD',
    };
    expect(
      toCallFacts({ ...row, ...odd, CRM_ENTITY_ID: '0', CALL_RECORD_URL: 'ftp://x', RECORD_FILE_ID: 'x' }),
    ).toMatchObject(nothing);
    for (const none of [null, [], 'x', {}, { CALL_ID: '' }, { CALL_ID: 'x'.repeat(256) }]) {
      expect(toCallFacts(none)).toBeNull();
    }
  });
});

describe('what is written back', () => {
  const segment = (role: 'agent' | 'customer' | 'ivr', startMs: number, endMs: number, text: string) => ({
    id: 'seg_1',
    index: 0,
    speaker: 'spk_0',
    role,
    channel: 0,
    startMs,
    endMs,
    text,
    confidence: null,
    words: [],
  });

  it('names both sides in whole seconds, without announcements, silence and numbers to call', () => {
    const segments = [
      segment('ivr', 0, 900, 'This call may be recorded.'),
      segment('agent', 1200, 2100, 'Hello.'),
      segment('customer', 2500, 2600, '  '),
      segment('customer', 3000, 3000, 'Call +44 (7700) 900-123 or 7 7 0 0 9 0 0 1 2 3, order 4711 of 2026.'),
    ];
    expect(toUtterances(segments)).toEqual([
      { SIDE: 'User', START_TIME: 1, STOP_TIME: 3, MESSAGE: 'Hello.' },
      { SIDE: 'Client', START_TIME: 3, STOP_TIME: 3, MESSAGE: 'Call [number] or [number], order 4711 of 2026.' },
    ]);
  });

  const facts: Parameters<typeof commentOf>[0] = {
    analysisId: 'ana_1',
    recordId: 'rec_1',
    publicUrl: undefined,
    version: 1,
    qualityScore: null,
    judgedShare: null,
    needsReviewCount: 0,
    complianceStatus: 'not_applicable',
    categories: { greeting: null, closing: 50 },
    sendsTranscript: true,
    segments: 12,
    segmentsOfUnknown: 0,
  };

  it('says so where nobody was scored, and needs no address', () => {
    const text = commentOf(facts);
    expect(text).toBe('Call quality: not scored (no agent speaks)\nCompliance: not applicable\nclosing 50\nana_1');
  });

  it('says how much was judged, where that is not all, and who has to listen', () => {
    const first = (scores: Partial<typeof facts>): string | undefined =>
      commentOf({ ...facts, ...scores }).split('\n')[0];
    expect(first({ qualityScore: 80, judgedShare: 1 })).toBe('Call quality: 80 of 100');
    expect(first({ qualityScore: 80, judgedShare: 0.829, needsReviewCount: 3 })).toBe(
      'Call quality: 80 of 100 (82 % of the weight was judged, 3 checks are left to a person)',
    );
    expect(first({ judgedShare: 0.412, needsReviewCount: 1 })).toBe(
      'Call quality: not scored yet: somebody has to listen (41 % of the weight was judged, 1 check is left to a person)',
    );
  });

  it('says what of the transcript is not attached, where somebody waits for it', () => {
    const partly = { ...facts, segmentsOfUnknown: 3 };
    expect(commentOf(partly)).toMatch(
      /\nNot attached: 3 of 12 utterances of the transcript, since the speaker is unknown/,
    );
    expect(commentOf({ ...facts, segmentsOfUnknown: 12 })).toMatch(/\nNot attached: all of the transcript/);
    expect(commentOf({ ...partly, sendsTranscript: false })).not.toContain('attached');
  });

  it('takes time in proportion to its length, whatever the digits', () => {
    const long = segment('agent', 0, 1, `${'1 '.repeat(50_000)}x${'1('.repeat(50_000)}`);
    expect(processorMsOf(() => toUtterances([long]))).toBeLessThan(3_000);
  });
});

describe("a portal's REST", () => {
  let bitrix: Bitrix24Server;
  beforeAll(async () => {
    bitrix = await startBitrix24();
  });
  afterAll(() => bitrix.close());

  const connect = (outboundAllow: string[], clientIds = ['app.test']) =>
    createBitrix24({
      oauthUrl: bitrix.baseUrl,
      applications: clientIds.map((clientId) => ({ clientId, clientSecret: 'secret' })),
      outboundAllow,
    });

  it.each([
    'http://127.0.0.1:1/rest/',
    'https://2130706433/rest/',
    'https://0x7f.1/rest/',
    'https://0177.0.0.1/rest/',
    'https://[::ffff:7f00:1]/rest/',
    'https://[::7f00:1]/rest/',
    'https://[::1]/rest/',
    'https://169.254.169.254/rest/',
    'https://10.0.0.1/rest/',
    'https://localhost/rest/',
    'https://acme.bitrix24.com@127.0.0.1/rest/',
    'file:///etc/passwd',
  ])('is never asked at %s, even by who vouched for it, and waiting does not help', async (endpoint) => {
    const call = { endpoint, accessToken: 'secret', method: 'profile', parameters: {} };
    await expect(connect([]).call(call)).rejects.toMatchObject({ problem: 'refused', retryable: false });
  });

  it.each([
    [200, { result: [] }, null],
    [401, { error: 'expired_token' }, { problem: 'expired', code: 'EXPIRED_TOKEN' }],
    [302, {}, { problem: 'expired', code: 'HTTP_302' }],
    [503, { error: 'QUERY_LIMIT_EXCEEDED' }, { problem: 'busy', retryable: true }],
    [429, { error: 'OPERATION_TIME_LIMIT' }, { problem: 'busy', retryAfterMs: 600_000 }],
    [403, { error: 'PORTAL_DELETED' }, { problem: 'suspended', retryable: false }],
    [402, { error: 'PAYMENT_REQUIRED' }, { problem: 'suspended', retryable: false }],
    [400, { error: 'ERROR_CORE' }, { problem: 'refused', retryable: false }],
    [403, { error: 'insufficient_scope' }, { problem: 'refused', code: 'INSUFFICIENT_SCOPE' }],
    [400, { error: '<b>+447700900123</b>' }, { problem: 'refused', code: 'HTTP_400' }],
    [500, {}, { problem: 'unavailable', retryable: true }],
    [200, {}, { problem: 'unavailable', code: 'HTTP_200' }],
  ])('that answers %i %j is understood', async (status, body, problem) => {
    bitrix.intercept = (_path, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: 'https://mallory.example/' });
      response.end(JSON.stringify(body));
      return true;
    };
    const call = { endpoint: `${bitrix.baseUrl}/rest/`, accessToken: 'a', method: 'x', parameters: {} };
    const outcome = await connect(['127.0.0.1'])
      .call(call)
      .catch((error: unknown) => error);
    bitrix.intercept = undefined;
    expect(outcome).toMatchObject(problem ?? { result: [], next: null, total: null });
  });

  it.each([
    ['17', 17_000],
    ['999999999', 3_600_000],
    ['Fri, 31 Dec 2058 23:59:59 GMT', 3_600_000],
    ['soon', undefined],
  ])('that asks to be left alone for %s is, for an hour at most', async (value, retryAfterMs) => {
    bitrix.intercept = (_path, response) => {
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': value });
      response.end(JSON.stringify({ error: 'QUERY_LIMIT_EXCEEDED' }));
      return true;
    };
    const call = { endpoint: `${bitrix.baseUrl}/rest/`, accessToken: 'a', method: 'x', parameters: {} };
    const outcome = connect(['127.0.0.1']).call(call);
    await expect(outcome).rejects.toMatchObject({ problem: 'busy', retryAfterMs });
    bitrix.intercept = undefined;
  });

  it('that never ends its answer is given up by its size', async () => {
    bitrix.intercept = (_path, response) => {
      const more = (): void =>
        void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      response.on('close', () => response.removeAllListeners('drain'));
      more();
      return true;
    };
    const call = { endpoint: `${bitrix.baseUrl}/rest/`, accessToken: 'a', method: 'x', parameters: {} };
    await expect(connect(['127.0.0.1']).call(call)).rejects.toMatchObject({ code: 'TOO_LARGE', retryable: false });
    bitrix.intercept = undefined;
  });

  it('is renewed for the application that the tokens belong to, and for no other', async () => {
    bitrix.rotating.set('r1', { clientId: 'app.test', memberId: 'm', domain: 'd', userId: 1 });
    const crm = connect(['127.0.0.1'], ['app.other', 'app.test']);
    expect([crm.isOurs('app.other'), crm.isOurs('app.mallory')]).toEqual([true, false]);
    await expect(crm.renew('r1', 'app.other')).rejects.toMatchObject({ retryable: false });
    await expect(crm.renew('r1', '')).rejects.toMatchObject({ code: 'APPLICATION_UNKNOWN' });
    expect(await crm.renew('r1', 'app.test')).toMatchObject({ expiresInSeconds: 3600 });
    bitrix.refreshes.set('frame', 'access');
    expect(await crm.refresh('frame')).toBe('access');
  });

  it('gives the address of the call where the disk is closed to us', async () => {
    const answers: Record<string, unknown> = {
      'voximplant.statistic.get': [{ ...row, RECORD_FILE_ID: '9', CALL_RECORD_URL: 'https://a.example/1.mp3' }],
    };
    const { CrmError } = await import('../../src/providers/crm/crm-error.ts');
    const address = await readRecordingAddress(async (method) => {
      if (!(method in answers)) throw new CrmError('refused', 'INSUFFICIENT_SCOPE');
      return { result: answers[method], next: null, total: 1 };
    }, 'c1');
    expect(address).toBe('https://a.example/1.mp3');
  });
});
