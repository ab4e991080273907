import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import type { SignInRules } from './schemas.ts';

const rules: Json<SignInRules> = { ownersNeedSecondFactor: true };

export const examples = {
  getSignInRules: { responses: { 200: one('Owners need a second factor', rules) } },
  updateSignInRules: {
    request: { required: { summary: 'Owners need a second factor', value: { ownersNeedSecondFactor: true } } },
    responses: { 200: { description: 'The rules as they are now.', ...one('The changed rules', rules) } },
  },
} satisfies Record<string, OperationExamples>;
