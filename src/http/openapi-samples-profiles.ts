import type { CreateProfileInput, Profile } from '../domain/profiles/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const newProfile: CreateProfileInput = {
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
};

export const profile: Json<Profile> = {
  ...newProfile,
  id: ids.profile,
  version: 1,
  createdAt: '2026-03-02T09:10:44.902Z',
};
