import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { DateOrTime, isOrderedPeriod, Timestamp, unorderedPeriod } from '../../lib/timestamp.ts';
import { ChannelMap, GivenChannelMap } from '../../model/channel-map.ts';
import { GivenLanguage } from '../../model/transcript.ts';

export const ProjectId = z
  .string()
  .meta({ description: 'Project id (`prj_…`).', examples: ['prj_01m7ysd48genfrajd0czv7xhm3'] });
export const ProjectParams = z.strictObject({ id: ProjectId });

const name = z.string().trim().min(1).max(120).meta({ description: 'Unique in the organization.' });
const description = z.string().trim().max(2000).meta({ description: 'For people; nothing depends on it.' });
const language = GivenLanguage.nullable().meta({
  description: 'BCP 47 tag of what is spoken; null to leave it to the recogniser.',
  examples: ['en'],
});

const redactPii = z.boolean().meta({
  description:
    'Take personal data out of the transcripts that are made from now on, and mute it in recordings for all but owners and admins.',
});
const redactNames = z.boolean().meta({
  description: 'Take the names of customers out as well. Only together with `redactPii`; agents keep theirs.',
});
const retentionDays = z.int().min(1).max(3650).nullable().meta({
  description:
    'Recordings, transcripts and what quotes them are deleted so many days after the record was created; records, scores and figures stay. Null keeps them.',
});
const channelMapNote = { description: 'Who speaks on which channel of a two-channel recording.' };
const givenChannelMap = GivenChannelMap.nullable().meta(channelMapNote);

export const ProjectSettings = z
  .object({ redactPii, redactNames, retentionDays, channelMap: ChannelMap.nullable().meta(channelMapNote) })
  .meta({ id: 'ProjectSettings' });
export type ProjectSettings = z.infer<typeof ProjectSettings>;

export const Project = z
  .object({
    id: ProjectId,
    name,
    description,
    language,
    profileId: z.string().meta({ description: 'The rubric that records of this project are scored by.' }),
    settings: ProjectSettings,
    recordCount: z.int().meta({ description: 'Records in the project that you may see, whatever their status.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ListProjectsInput = listInput({ sorts: ['createdAt', 'name', 'updatedAt'], order: 'asc' }, {});
export type ListProjectsInput = z.infer<typeof ListProjectsInput>;
export const ProjectPage = pageOf(Project).meta({ id: 'ProjectPage' });

export const CreateProjectInput = z.strictObject({
  name: name.meta({ examples: ['Support line'] }),
  description: description.default(''),
  language: language.default(null),
  profileId: z.string().optional().meta({ description: "Default: the organization's first profile." }),
  settings: z
    .strictObject({
      redactPii: redactPii.default(false),
      redactNames: redactNames.default(false),
      retentionDays: retentionDays.default(null),
      channelMap: givenChannelMap.default(null),
    })
    .prefault({}),
});
export type CreateProjectInput = z.infer<typeof CreateProjectInput>;

export const UpdateProjectInput = ProjectParams.extend({
  name: name.optional(),
  description: description.optional(),
  language: language.optional(),
  profileId: z.string().optional().meta({ description: 'Applies to analyses made from now on.' }),
  settings: z
    .strictObject({ redactPii, redactNames, retentionDays, channelMap: givenChannelMap })
    .partial()
    .optional()
    .meta({ description: 'Settings that are left out stay as they are.' }),
});
export type UpdateProjectInput = z.infer<typeof UpdateProjectInput>;

export const DeleteProjectInput = ProjectParams.extend({
  force: z.boolean().default(false).meta({ description: 'Delete the records of the project with it.' }),
});

export const ProjectStatsInput = ProjectParams.extend({
  from: DateOrTime.optional().meta({
    description:
      'Took place at or after, not later than `to`. Default: 30 days before `to`. A bare date begins its day (UTC).',
  }),
  to: DateOrTime.optional().meta({
    description: 'Took place at or before. Default: the end of this minute. A bare date ends its day (UTC).',
  }),
}).refine(isOrderedPeriod, unorderedPeriod);
export type ProjectStatsInput = z.infer<typeof ProjectStatsInput>;

export const ProjectStats = z
  .object({
    projectId: ProjectId,
    totalRecords: z.int().meta({ description: 'Calls that took place in the period.' }),
    completedRecords: z.int().meta({ description: 'Those of them whose processing is done.' }),
    averageQualityScore: z
      .number()
      .nullable()
      .meta({ description: 'Over completed records with a score; null when there are none.' }),
    averageDuration: z
      .number()
      .nullable()
      .meta({ description: 'Seconds, over completed records; null when there are none.' }),
    averageJudgedShare: z.number().min(0).max(1).nullable().meta({
      description: 'Share (0-1) of the weight that was judged, over completed records to which any check applies.',
    }),
    awaitingReview: z.int().meta({
      description:
        'Completed records without a score because too little of them was judged, and not reviewed. No average includes them.',
    }),
    period: z.object({ from: Timestamp, to: Timestamp }),
  })
  .meta({ id: 'ProjectStats' });
export type ProjectStats = z.infer<typeof ProjectStats>;
