import { nothing, one, page, type OperationExamples } from './openapi-example-parts.ts';
import * as samples from './openapi-samples-quality.ts';
import { ids } from './openapi-samples.ts';

/** Of what people add to analyses, and of the rules that watch them. */
export const qualityExamples: Record<string, OperationExamples> = {
  reanalyze: {
    request: {
      profile: { summary: 'By another profile', value: { profileId: ids.profile, reason: 'The rubric has changed.' } },
      anew: { summary: 'Transcribed again', value: { profileId: ids.profile, retranscribe: true } },
    },
    responses: {
      202: {
        description: 'Accepted. The analysis is made in the background.',
        ...one('The order', samples.reanalysis),
      },
    },
  },
  swapSpeakers: {
    request: { reason: { summary: 'With a reason', value: { reason: 'The customer was taken for the agent.' } } },
    responses: {
      202: {
        description: 'Accepted. The analysis is made in the background.',
        ...one('The order', samples.reanalysis),
      },
    },
  },
  listAnnotations: { responses: { 200: page('One annotation', samples.annotation) } },
  createAnnotation: {
    request: {
      whole: { summary: 'On the analysis as a whole', value: { text: 'Well handled.', type: 'praise' } },
      segment: {
        summary: 'On a segment and a category',
        value: {
          text: samples.annotation.text,
          type: 'issue',
          segmentId: ids.segments[0],
          startMs: 640,
          endMs: 3_180,
          category: 'greeting',
        },
      },
    },
    responses: { 201: { description: 'Added.', ...one('The new annotation', samples.annotation) } },
  },
  getAnnotation: { responses: { 200: one('An annotation', samples.annotation) } },
  updateAnnotation: {
    request: { type: { summary: 'It is praise', value: { type: 'praise' } } },
    responses: {
      200: {
        description: 'The annotation as it is now.',
        ...one('The changed annotation', { ...samples.annotation, type: 'praise' }),
      },
    },
  },
  deleteAnnotation: { responses: { 204: nothing } },

  getReview: { responses: { 200: one('A review', samples.review) } },
  submitReview: {
    request: {
      approve: { summary: 'The automatic scores stand', value: { verdict: 'approved' } },
      adjust: {
        summary: 'One category is scored anew',
        value: { verdict: 'adjusted', categories: { greeting: 100 }, comment: samples.review.comment },
      },
      reject: { summary: 'No score stands', value: { verdict: 'rejected', comment: 'This is a test call.' } },
    },
    responses: {
      201: { description: 'The first review of the analysis.', ...one('The new review', samples.review) },
      200: {
        description: 'The next revision of its review.',
        ...one('The second revision', { ...samples.review, revision: 2 }),
      },
    },
  },
  disputeReview: {
    request: { dispute: { summary: 'Say why', value: { comment: 'I also confirmed the order number.' } } },
    responses: { 200: { description: 'Disputed.', ...one('The disputed review', samples.disputedReview) } },
  },
  resolveReview: {
    request: {
      reject: {
        summary: 'The review stands',
        value: { outcome: 'rejected', comment: 'It was the customer who said the number.' },
      },
    },
    responses: { 200: { description: 'Resolved.', ...one('The resolved review', samples.resolvedReview) } },
  },
  listReviewHistory: { responses: { 200: page('A submission', samples.reviewEntry) } },

  listAlerts: { responses: { 200: page('One rule', samples.alert) } },
  createAlert: {
    request: {
      score: {
        summary: 'Low scores of one project',
        value: {
          name: 'Low score',
          projectId: ids.project,
          condition: samples.alert.condition,
          actions: ['webhook', 'email'],
          enabled: true,
        },
      },
      compliance: {
        summary: 'Every breach of compliance, wherever it happens',
        value: {
          name: 'Breach',
          projectId: null,
          condition: { field: 'complianceStatus', operator: 'eq', value: 'failed' },
          actions: ['webhook'],
          severity: 'critical',
        },
      },
    },
    responses: {
      201: {
        description: 'Created.',
        ...one('The new rule', { ...samples.alert, triggerCount: 0, lastTriggeredAt: null }),
      },
    },
  },
  getAlert: { responses: { 200: one('A rule', samples.alert) } },
  updateAlert: {
    request: { silence: { summary: 'Silence it', value: { enabled: false } } },
    responses: {
      200: { description: 'The rule as it is now.', ...one('The changed rule', { ...samples.alert, enabled: false }) },
    },
  },
  deleteAlert: { responses: { 204: nothing } },
  listAlertEvents: { responses: { 200: page('One firing', samples.alertEvent) } },
};
