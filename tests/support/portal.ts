import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import type { TestApp, TestMember } from './app.ts';
import { clientId, type Bitrix24Server, type Grant } from './bitrix24-server.ts';

/** One portal at the server of the tests, with an administrator whose tokens are good. */
export type TestPortal = {
  memberId: string;
  applicationToken: string;
  userId: number;
  grant: Grant;
  accessToken: string;
  refreshToken: string;
};

let users = 1000;

/** Settings of a service that has the application of the tests. */
export function bitrixEnv(bitrix: Bitrix24Server): Record<string, string> {
  return {
    BITRIX24_CLIENT_ID: clientId,
    BITRIX24_CLIENT_SECRET: 'secret',
    BITRIX24_OAUTH_URL: bitrix.baseUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
  };
}

export function createPortal(bitrix: Bitrix24Server, { isAdmin = true }: { isAdmin?: boolean } = {}): TestPortal {
  const memberId = randomUUID().replaceAll('-', '');
  const userId = (users += 1);
  const grant = { clientId, memberId, domain: bitrix.domain, userId };
  const [accessToken, refreshToken, applicationToken] = [randomUUID(), randomUUID(), randomUUID()];
  bitrix.users.set(userId, { id: userId, isAdmin, firstName: 'Vera', lastName: 'Orlova' });
  bitrix.grants.set(accessToken, grant);
  bitrix.rotating.set(refreshToken, grant);
  return { memberId, applicationToken, userId, grant, accessToken, refreshToken };
}

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the portal's page sends into the frame of the app. */
export function openFrame(t: TestApp, bitrix: Bitrix24Server, portal: TestPortal) {
  const payload = new URLSearchParams({
    AUTH_ID: portal.accessToken,
    REFRESH_ID: portal.refreshToken,
    APPLICATION_TOKEN: portal.applicationToken,
    member_id: portal.memberId,
    PLACEMENT: 'DEFAULT',
  });
  const url = `/embedded/bitrix24?DOMAIN=${encodeURIComponent(bitrix.domain)}&PROTOCOL=1`;
  return t.app.inject({ method: 'POST', url, headers: formHeaders, payload: payload.toString() });
}

export async function readLinkCode(t: TestApp, bitrix: Bitrix24Server, portal: TestPortal): Promise<string> {
  const { body } = await openFrame(t, bitrix, portal);
  return /<strong>([A-Z2-9]{4}-[A-Z2-9]{4})<\/strong>/.exec(body)?.[1] ?? '';
}

/** A portal that the member's organization has linked, as people do it. Gives its id here. */
export async function linkPortalOf(
  t: TestApp,
  {
    bitrix,
    member,
    portal,
    ...further
  }: { bitrix: Bitrix24Server; member: TestMember; portal: TestPortal; settings?: object },
): Promise<string> {
  const code = await readLinkCode(t, bitrix, portal);
  const payload = { domain: bitrix.domain, code, projectId: member.projectId, ...further };
  const { status, body } = await t.as(member, {
    method: 'POST',
    url: '/api/v1/integrations/bitrix24/portals',
    payload,
  });
  if (status !== 201) throw new Error(`The portal was not linked: ${JSON.stringify(body)}`);
  return body.data.id;
}

type EventOptions = { data?: Record<string, string>; auth?: Record<string, string>; url?: string };

/** An event as Bitrix24 sends it. */
export function sendEvent(
  t: TestApp,
  name: string,
  portal: Pick<TestPortal, 'memberId' | 'applicationToken'>,
  { data = {}, auth = {}, url = '/api/v1/integrations/bitrix24/events' }: EventOptions = {},
) {
  const fields = {
    event: name,
    ts: '1772441890',
    ...inBrackets('data', data),
    ...inBrackets('auth', {
      member_id: portal.memberId,
      application_token: portal.applicationToken,
      status: 'L',
      ...auth,
    }),
  };
  const request: InjectOptions = { method: 'POST', url, headers: formHeaders };
  return t.app.inject({ ...request, payload: new URLSearchParams(fields).toString() });
}

export function callEnd(callId: string, further: Record<string, string> = {}): Record<string, string> {
  return {
    CALL_ID: callId,
    CALL_TYPE: '2',
    PHONE_NUMBER: '+447700900123',
    PORTAL_NUMBER: '+442071838750',
    PORTAL_USER_ID: '7',
    CALL_DURATION: '64',
    CALL_START_DATE: '2026-03-02T10:58:10+02:00',
    CALL_FAILED_CODE: '200',
    COST: '0.0000',
    CRM_ACTIVITY_ID: '51',
    ...further,
  };
}

function inBrackets(name: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}[${key}]`, value]));
}
