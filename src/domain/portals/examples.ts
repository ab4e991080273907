import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { CrmCall, Portal } from './schemas.ts';

const portal: Json<Portal> = {
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

const crmCall: Json<CrmCall> = {
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

const event = {
  event: 'ONVOXIMPLANTCALLEND',
  'auth[member_id]': portal.memberId,
  'auth[application_token]': '51856fefc120afa4b628cc82d3935cce',
  'auth[domain]': portal.domain,
  'data[CALL_ID]': crmCall.callId,
  'data[CALL_TYPE]': '2',
  'data[CALL_DURATION]': '64',
  'data[CALL_FAILED_CODE]': '200',
};

const noComment = { ...portal.settings, writeBack: { transcript: true, comment: false } };

export const examples = {
  listPortals: { responses: { 200: page('One portal', portal) } },
  linkPortal: {
    request: {
      link: {
        summary: 'With the code that the portal shows',
        value: { domain: portal.domain, code: 'K7QM-2XPA', projectId: ids.project },
      },
    },
    responses: { 201: { description: 'Linked.', ...one('The new portal', { ...portal, reconciledAt: null }) } },
  },
  getPortal: { responses: { 200: one('A portal', portal) } },
  updatePortal: {
    request: {
      quiet: { summary: 'No comments in the timeline', value: { settings: { writeBack: { comment: false } } } },
    },
    responses: {
      200: {
        description: 'The portal as it is now.',
        ...one('The changed portal', { ...portal, settings: noComment }),
      },
    },
  },
  unlinkPortal: { responses: { 204: nothing } },
  listCrmCalls: { responses: { 200: page('A missed call', crmCall) } },
  receivePortalEvent: {
    request: { call: { summary: 'A call has ended', value: event } },
    responses: { 200: one('It waits for its recording', { outcome: 'accepted', reason: null }) },
  },
} satisfies Record<string, OperationExamples>;
