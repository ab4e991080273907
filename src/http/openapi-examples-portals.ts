import { nothing, one, page, type OperationExamples } from './openapi-example-parts.ts';
import * as samples from './openapi-samples-portals.ts';
import { ids } from './openapi-samples.ts';

const { portal } = samples;
const noComment = { ...portal.settings, writeBack: { transcript: true, comment: false } };

export const portalExamples: Record<string, OperationExamples> = {
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
  listCrmCalls: { responses: { 200: page('A missed call', samples.crmCall) } },
  receivePortalEvent: {
    request: { call: { summary: 'A call has ended', value: samples.event } },
    responses: { 200: one('It waits for its recording', { outcome: 'accepted', reason: null }) },
  },
};
