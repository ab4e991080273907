import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import { analysis } from '../analyses/examples.ts';
import type { Profile, ProfilePreview, ProfileTemplate } from './schemas.ts';

export const newProfile = {
  name: 'Refund call',
  description: 'Short calls of the refund desk',
  categories: [
    {
      key: 'greeting',
      title: 'Greeting',
      weight: 1,
      critical: false,
      checks: [
        {
          key: 'greeting.opens',
          title: 'Greets the customer',
          weight: 1,
          critical: false,
          exemptions: ['midCallStart'],
          kind: 'phrase',
          role: 'agent',
          where: { part: 'firstTurns', turns: 2 },
          expect: 'present',
          phrases: ['good morning/afternoon/evening', 'hello', 'thank you for calling'],
          elsewhere: 'fail',
        },
        {
          key: 'greeting.name',
          title: 'Says the own name',
          weight: 1,
          critical: false,
          exemptions: ['midCallStart'],
          kind: 'model',
          question: 'Does the agent say their own name at the beginning?',
          detector: 'ownName',
        },
      ],
    },
    {
      key: 'problemResolution',
      title: 'Problem resolution',
      weight: 3,
      critical: false,
      checks: [
        {
          key: 'problem.resolved',
          title: 'Gives what was asked for',
          weight: 1,
          critical: false,
          exemptions: [],
          kind: 'model',
          question: 'Does the agent do what the customer asked for, or say that it is done?',
          detector: 'resolved',
        },
      ],
    },
  ],
  compliance: [
    {
      key: 'compliance.pressure',
      title: 'No pressure on the customer',
      severity: 'medium',
      enabled: true,
      kind: 'phrase',
      role: 'agent',
      where: { part: 'whole' },
      expect: 'absent',
      phrases: ['you have to decide now', 'do not tell anyone'],
    },
  ],
} satisfies Omit<Profile, 'id' | 'version' | 'languages' | 'judgedShareMin' | 'createdAt'>;

const profile: Json<Profile> = {
  ...newProfile,
  id: ids.profile,
  version: 1,
  languages: [],
  judgedShareMin: 0.6,
  createdAt: '2026-03-02T09:10:44.902Z',
};

const template: Json<ProfileTemplate> = {
  key: 'sales',
  name: 'Sales call',
  description: 'Opening, needs, offer with price and terms, and a fair close of a sales call.',
  languages: ['en', 'de', 'es', 'ru'],
  createdAt: '2026-11-21T00:00:00.000Z',
  categories: [
    {
      key: 'opening',
      title: 'Opening',
      weight: 20,
      critical: false,
      checks: [{ key: 'opening.opens', title: 'Greets the customer', weight: 3, critical: false, kind: 'phrase' }],
    },
  ],
  compliance: [
    { key: 'compliance.doNotCall', title: 'The wish not to be called is confirmed', severity: 'high', enabled: true },
  ],
};

/** A change that is tried before it is saved. */
const draft = {
  recordId: ids.record,
  draft: { compliance: newProfile.compliance },
};

const { qualityScore, judgedShare, needsReviewCount, categories, complianceStatus, summary, improvements, checks } =
  analysis;
const { complianceFindings, topics, actionItems, metrics } = analysis;

const preview: Omit<Json<ProfilePreview>, 'metrics'> & Pick<typeof analysis, 'metrics'> = {
  recordId: ids.record,
  profile: { id: ids.profile, name: 'Refund call', version: null },
  engine: { kind: 'rules', model: null },
  language: 'en',
  qualityScore,
  judgedShare,
  needsReviewCount: needsReviewCount ?? 0,
  categories,
  complianceStatus: complianceStatus ?? 'not_applicable',
  summary,
  improvements,
  checks,
  complianceFindings,
  metrics,
  topics,
  actionItems,
};

export const examples = {
  listProfiles: { responses: { 200: page('One profile', profile) } },
  createProfile: {
    request: {
      refund: { summary: 'A short rubric', value: newProfile },
      template: { summary: 'A ready-made one', value: { template: 'sales', languages: ['de'] } },
    },
    responses: { 201: { description: 'Created, as version 1.', ...one('The new profile', profile) } },
  },
  getProfile: { responses: { 200: one('A profile', profile) } },
  updateProfile: {
    request: {
      rename: { summary: 'Another name', value: { name: 'Refund call' } },
      guarded: {
        summary: 'Only if nobody changed it meanwhile',
        value: { expectedVersion: 1, compliance: profile.compliance },
      },
    },
    responses: { 200: { description: 'The profile as it is now.', ...one('The changed profile', profile) } },
  },
  deleteProfile: { responses: { 204: nothing } },
  listProfileTemplates: { responses: { 200: page('One template', template) } },
  previewProfile: {
    request: {
      saved: { summary: 'As it is now', value: { recordId: ids.record } },
      draft: { summary: 'Before it is saved', value: draft },
    },
    responses: { 200: one('What an analysis would say', preview) },
  },
} satisfies Record<string, OperationExamples>;
