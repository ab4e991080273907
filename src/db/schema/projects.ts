import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ChannelMap } from '../../model/channel-map.ts';
import type { Rubric } from '../../model/rubric.ts';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';

export const profiles = pgTable(
  'profiles',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    currentVersion: integer('current_version').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** A deleted profile accepts no new analyses; existing ones keep naming it. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('profiles_name')
      .on(t.orgId, sql`lower(${t.name})`)
      .where(sql`deleted_at is null`),
    index('profiles_created').on(t.orgId, t.createdAt, t.id),
  ],
);

export const profileVersions = pgTable(
  'profile_versions',
  {
    orgId: orgId(),
    profileId: text('profile_id').notNull(),
    version: integer('version').notNull(),
    rubric: jsonb('rubric').$type<Rubric>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.profileId, t.version] }),
    foreignKey({ columns: [t.orgId, t.profileId], foreignColumns: [profiles.orgId, profiles.id] }).onDelete('cascade'),
  ],
);

export const projects = pgTable(
  'projects',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    language: text('language'),
    profileId: text('profile_id').notNull(),
    redactPii: boolean('redact_pii').notNull().default(false),
    /** Only together with `redactPii`. */
    redactNames: boolean('redact_names').notNull().default(false),
    retentionDays: integer('retention_days'),
    /** No record created before this has a recording or transcript any more: retention starts searching here. */
    retainedSince: instant('retained_since'),
    channelMap: jsonb('channel_map').$type<ChannelMap>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('projects_name').on(t.orgId, sql`lower(${t.name})`),
    index('projects_created').on(t.orgId, t.createdAt, t.id),
    index('projects_retention')
      .on(t.orgId, t.id)
      .where(sql`retention_days is not null`),
    foreignKey({ columns: [t.orgId, t.profileId], foreignColumns: [profiles.orgId, profiles.id] }),
  ],
);
