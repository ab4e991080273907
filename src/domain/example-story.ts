import { derivedId, idEntities, type IdEntity } from '../lib/ids.ts';

const storyTime = new Date('2026-03-02T10:02:11.000Z');

/** Of every kind of id one, so that a new kind has its example. */
const derived = Object.fromEntries(
  idEntities.map((entity) => [entity, derivedId(entity, { at: storyTime, seed: entity })]),
) as Record<IdEntity, string>;

/** One story told through every example: a call about a refund, in one project, judged by one short rubric. */
export const ids = {
  ...derived,
  org: 'org_01m7ysd48fenfrajcn47wkxf75',
  user: 'usr_01m7ysd48genfrajctx8frczs9',
  project: 'prj_01m7ysd48genfrajd0czv7xhm3',
  profile: 'prf_01m7ysd48genfrajdcn4kp8yf0',
  record: 'rec_01m7ysd48genfrajdng7gg18f4',
  analysis: 'ana_01m7ysd48genfrajdx960h48hv',
  annotation: 'ann_01m7ysd48genfrajf0z3bs8t6k',
  credit: 'crd_01m7ysd48genfrajfa1v6kq4d2',
  invite: 'inv_01m7ysd48genfrajf8n2v6kq4d',
  match: 'mch_01m7ysd48genfrajf8q4v6kq4d',
  review: 'rev_01m7ysd48genfrajf5c3s9q7wd',
  token: 'tok_01m7ysd48genfrajf2r5b9n4xt',
  portal: 'ptl_01m7ysd48genfrajf3v8n2q6kc',
  alert: 'alr_01m7ysd48genfrajf7h4c0m2xz',
  webhook: 'whk_01m7ysd48genfrajfbx0e5r2ma',
  segments: ['seg_01m7ysd48genfraje6yb0tsrj9', 'seg_01m7ysd48genfrajea0nakttbf', 'seg_01m7ysd48genfrajep3kwhvje1'],
} as const;

export const reviewer = { id: ids.user, name: 'Paula Becker' };
