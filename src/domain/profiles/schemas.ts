import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { asStored, checkedLater } from '../../lib/plain-json.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { Scorecard, Severity } from '../../model/scorecard.ts';
import { Rubric } from '../../model/rubric.ts';
import { templateKeys } from './template-keys.ts';

export const ProfileId = z
  .string()
  .meta({ description: 'Profile id (`prf_…`).', examples: ['prf_01m7ysd48genfrajdcn4kp8yf0'] });
export const ProfileParams = z.strictObject({ id: ProfileId });

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
    languages: z
      .array(z.string())
      .meta({ description: 'Languages of the calls that it can judge, the one of `phrases` first; empty: any.' }),
    judgedShareMin: Rubric.shape.judgedShareMin.unwrap(),
    categories: asStored(Rubric.shape.categories),
    compliance: asStored(Rubric.shape.compliance),
    createdAt: Timestamp,
  })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof Profile>;

export const ListProfilesInput = listInput({ sorts: ['createdAt', 'name'], order: 'asc' }, {});
export type ListProfilesInput = z.infer<typeof ListProfilesInput>;
export const ProfilePage = pageOf(Profile).meta({ id: 'ProfilePage' });

export const GetProfileInput = ProfileParams.extend({
  version: z.int32().positive().optional().meta({ description: 'An earlier version; default: the current one.' }),
});

export const TemplateKey = z.enum(templateKeys).meta({ description: 'A ready-made profile to begin with.' });

/** The service validates rubrics as a whole. */
const categories = checkedLater(Rubric.shape.categories).optional();
const compliance = checkedLater(Rubric.shape.compliance).optional();

export const CreateProfileInput = z
  .strictObject({
    name: name.optional().meta({
      description: "Unique in the organization. Left out with a template: the template's own.",
      examples: ['Sales call'],
    }),
    description: description.optional(),
    template: TemplateKey.optional().meta({
      description: 'Copies a ready-made profile; then `categories` and `compliance` are left out.',
    }),
    languages: Rubric.shape.languages,
    judgedShareMin: Rubric.shape.judgedShareMin,
    categories: categories.meta({ description: 'Required without a template.' }),
    compliance: compliance.meta({ description: 'Required without a template.' }),
  })
  .check((ctx) => {
    const { template, ...given } = ctx.value;
    const fault = (path: 'name' | 'categories' | 'compliance', message: string): void =>
      void ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message });
    if (template === undefined && given.name === undefined) fault('name', 'Give a name.');
    for (const path of ['categories', 'compliance'] as const) {
      if (template === undefined && given[path] === undefined) fault(path, `Give ${path}, or a template.`);
      if (template !== undefined && given[path] !== undefined) fault(path, `A template brings its own ${path}.`);
    }
  });
export type CreateProfileInput = z.infer<typeof CreateProfileInput>;

export const UpdateProfileInput = ProfileParams.extend({
  expectedVersion: z.int32().positive().optional().meta({
    description: 'The version that the change was made to. When the profile has another by now, nothing is changed.',
  }),
  name: name.optional(),
  description: description.optional(),
  languages: Rubric.shape.languages,
  judgedShareMin: Rubric.shape.judgedShareMin,
  categories,
  compliance,
});
export type UpdateProfileInput = z.infer<typeof UpdateProfileInput>;

const weight = z.number();

/** What a template checks; to see its phrases, create a profile from it. */
export const ProfileTemplate = z
  .object({
    key: TemplateKey,
    name,
    description,
    languages: z.array(z.string()).meta({ description: 'Languages that it has words for.' }),
    createdAt: Timestamp.meta({ description: 'Since when there is such a template.' }),
    categories: z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        weight,
        critical: z.boolean(),
        checks: z.array(
          z.object({
            key: z.string(),
            title: z.string(),
            weight,
            critical: z.boolean(),
            kind: z.enum(['phrase', 'metric', 'model']),
          }),
        ),
      }),
    ),
    compliance: z.array(z.object({ key: z.string(), title: z.string(), severity: Severity, enabled: z.boolean() })),
  })
  .meta({ id: 'ProfileTemplate' });
export type ProfileTemplate = z.infer<typeof ProfileTemplate>;

/** A profile without its phrases. */
export const ProfileOutline = Profile.extend({
  categories: ProfileTemplate.shape.categories,
  compliance: ProfileTemplate.shape.compliance,
}).meta({ id: 'ProfileOutline' });

export const ListTemplatesInput = listInput({ sorts: ['createdAt', 'name'], order: 'asc' }, {});
export type ListTemplatesInput = z.infer<typeof ListTemplatesInput>;
export const TemplatePage = pageOf(ProfileTemplate).meta({ id: 'ProfileTemplatePage' });

const Draft = z.strictObject({
  languages: Rubric.shape.languages,
  judgedShareMin: Rubric.shape.judgedShareMin,
  categories,
  compliance,
});

export const PreviewProfileInput = ProfileParams.extend({
  recordId: z.string().meta({ description: 'The call to score (`rec_…`); it has to have a transcript.' }),
  draft: Draft.optional().meta({
    description: 'Changes that are not saved; what is left out is taken from the profile as it is now.',
  }),
});
export type PreviewProfileInput = z.infer<typeof PreviewProfileInput>;

/** The result of scoring a call, in the format of an analysis. */
export const ProfilePreview = z
  .object({
    recordId: z.string(),
    profile: z.object({
      id: ProfileId,
      name,
      version: z.int().positive().nullable().meta({ description: 'Null where a draft was scored.' }),
    }),
    engine: z.object({ kind: z.literal('rules'), model: z.string().nullable() }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Of the call, as the transcript says or its words tell; null where neither does.' }),
    ...Scorecard.shape,
  })
  .meta({ id: 'ProfilePreview' });
export type ProfilePreview = z.infer<typeof ProfilePreview>;
