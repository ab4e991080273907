import type { Role } from '../../src/auth/permissions.ts';
import type { Operation } from './operations.ts';

const everyone: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'];
const listeners: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer'];

/** What people add to analyses. */
export const qualityOperations: Operation[] = [
  {
    name: 'analyse a call again',
    rest: 'POST /analyses/{id}/re-analyze',
    rpc: 'analyses.reanalyze',
    roles: ['owner', 'admin', 'supervisor'],
    input: ({ analysisId, profileId }) => ({ id: analysisId, profileId }),
    own: 202,
    missing: 404,
  },
  {
    name: 'list annotations',
    rest: 'GET /analyses/{id}/annotations',
    rpc: 'annotations.list',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'add an annotation',
    rest: 'POST /analyses/{id}/annotations',
    rpc: 'annotations.create',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId, text: 'Well handled.' }),
    own: 201,
    missing: 404,
  },
  {
    name: 'get an annotation',
    rest: 'GET /analyses/{id}/annotations/{annotationId}',
    rpc: 'annotations.get',
    roles: everyone,
    input: ({ analysisId, annotationId }) => ({ id: analysisId, annotationId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'get a review',
    rest: 'GET /analyses/{id}/review',
    rpc: 'reviews.get',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'submit a review',
    rest: 'POST /analyses/{id}/review',
    rpc: 'reviews.submit',
    roles: listeners,
    input: ({ analysisId }) => ({ id: analysisId, verdict: 'approved' }),
    own: 200,
    missing: 404,
  },
  {
    name: 'dispute a review',
    rest: 'POST /analyses/{id}/review/dispute',
    rpc: 'reviews.dispute',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId, comment: 'I disagree.' }),
    own: 200,
    missing: 404,
  },
  {
    name: 'resolve a dispute',
    rest: 'POST /analyses/{id}/review/resolve',
    rpc: 'reviews.resolve',
    roles: listeners,
    input: ({ analysisId }) => ({ id: analysisId, outcome: 'accepted', comment: 'Agreed.' }),
    // The review that is there is not disputed; what is missing is another matter.
    own: 409,
    missing: 404,
  },
  {
    name: 'read what happened to a review',
    rest: 'GET /analyses/{id}/review/history',
    rpc: 'reviews.history',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId }),
    own: 200,
    missing: 404,
  },
];
