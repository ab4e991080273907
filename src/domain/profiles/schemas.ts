import { z } from 'zod';
import { pageOf, pageQuery } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { Rubric } from './rubric.ts';

export const ProfileId = z
  .string()
  .meta({ description: 'Profile id (`prf_…`).', examples: ['prf_01m7ysd48genfrajdcn4kp8yf0'] });
export const ProfileParams = z.object({ id: ProfileId });

const name = z.string().trim().min(1).max(120).meta({ description: 'Unique in the organization.' });
const description = z.string().trim().max(2000).meta({ description: 'For people; nothing depends on it.' });

export const Profile = z
  .object({
    id: ProfileId,
    name,
    description,
    version: z
      .int()
      .positive()
      .meta({ description: 'Grows with every change of the rubric; analyses name the one they used.' }),
    categories: Rubric.shape.categories,
    compliance: Rubric.shape.compliance,
    createdAt: Timestamp,
  })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof Profile>;

export const ListProfilesInput = z.object(pageQuery);
export type ListProfilesInput = z.infer<typeof ListProfilesInput>;
export const ProfilePage = pageOf(Profile).meta({ id: 'ProfilePage' });

export const GetProfileInput = ProfileParams.extend({
  version: z.int32().positive().optional().meta({ description: 'An earlier version; default: the current one.' }),
});

export const CreateProfileInput = z.object({
  name: name.meta({ examples: ['Sales call'] }),
  description: description.default(''),
  categories: Rubric.shape.categories,
  compliance: Rubric.shape.compliance,
});
export type CreateProfileInput = z.infer<typeof CreateProfileInput>;

export const UpdateProfileInput = ProfileParams.extend({
  name: name.optional(),
  description: description.optional(),
  categories: Rubric.shape.categories.optional(),
  compliance: Rubric.shape.compliance.optional(),
});
export type UpdateProfileInput = z.infer<typeof UpdateProfileInput>;
