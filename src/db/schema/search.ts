import { customType, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, orgId } from './columns.ts';
import { records } from './records.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * What can be found of a record: itself, the transcript that it shows, its current analysis. Kept by triggers, in the
 * transaction that changes any of them.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    kind: text('kind', { enum: ['record', 'transcript', 'analysis'] }).notNull(),
    projectId: text('project_id').notNull(),
    /** Users whose own record it is. */
    ownerIds: text('owner_ids').array().notNull(),
    /** Version of the transcript or analysis that it was made from. */
    version: integer('version'),
    /** Text search configuration that it was read with. */
    language: text('language').notNull(),
    /** What snippets are cut from; the number of the customer is masked in it. */
    body: text('body').notNull(),
    /** Each lexeme begins with a token of the organization and the language: see `search_token`. */
    lexemes: tsvector('lexemes').notNull(),
    /** Of the record. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId, t.kind] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
    index('search_documents_lexemes').using('gin', t.lexemes).with({ gin_pending_list_limit: 1024 }),
    // The newest first, for words that most texts have.
    index('search_documents_newest').on(t.orgId, t.createdAt.desc(), t.recordId.desc(), t.kind),
  ],
);

/** The languages that an organization has documents in. */
export const searchLanguages = pgTable(
  'search_languages',
  { orgId: orgId(), language: text('language').notNull() },
  (t) => [primaryKey({ columns: [t.orgId, t.language] })],
);
