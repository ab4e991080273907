import type { CrmCall, Portal } from '../domain/portals/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const portal: Json<Portal> = {
  id: ids.portal,
  memberId: 'a223c6b3710f85df22e9377d6c4f7553',
  domain: 'acme.bitrix24.com',
  projectId: ids.project,
  settings: { durationMinSeconds: 5, writeBack: { transcript: true, comment: true } },
  status: 'active',
  suspension: null,
  reconciledAt: '2026-03-02T09:15:00.212Z',
  createdAt: '2026-03-01T16:51:40.930Z',
  updatedAt: '2026-03-02T09:15:00.212Z',
};

export const crmCall: Json<CrmCall> = {
  callId: '0123456789ABCDEF.1772441890.1234',
  portalId: ids.portal,
  status: 'ignored',
  reason: 'MISSED',
  announcedBy: 'event',
  startedAt: '2026-03-02T08:58:10.000Z',
  duration: 0,
  recordId: null,
  createdAt: '2026-03-02T08:58:31.404Z',
  updatedAt: '2026-03-02T08:58:31.404Z',
};

export const event = {
  event: 'ONVOXIMPLANTCALLEND',
  'auth[member_id]': portal.memberId,
  'auth[application_token]': '51856fefc120afa4b628cc82d3935cce',
  'auth[domain]': portal.domain,
  'data[CALL_ID]': crmCall.callId,
  'data[CALL_TYPE]': '2',
  'data[CALL_DURATION]': '64',
  'data[CALL_FAILED_CODE]': '200',
};
