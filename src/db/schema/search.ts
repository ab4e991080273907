import {
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { instant, orgId } from './columns.ts';
import { records } from './records.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * What can be found of a record: itself, its shown transcript, its current analysis. Maintained by triggers in the
 * transaction that changes any of them.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    kind: text('kind', { enum: ['record', 'transcript', 'analysis'] }).notNull(),
    projectId: text('project_id').notNull(),
    /** Users to whom the record belongs. */
    ownerIds: text('owner_ids').array().notNull(),
    /** Version of the transcript or analysis that it was built from. */
    version: integer('version'),
    /** Text search configuration that was used. */
    language: text('language').notNull(),
    /** The text for snippets; the customer's number is masked. */
    body: text('body').notNull(),
    /** Each lexeme is prefixed with a token of the organization and the language: see `search_token`. */
    lexemes: tsvector('lexemes').notNull(),
    /** Of a transcript: when each segment begins, in milliseconds. Its body has a line for each. */
    starts: integer('starts').array(),
    /** Of a transcript: who says each segment, by the first letter of the role. */
    roles: text('roles'),
    /** Creation time of the record. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId, t.kind] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
    index('search_documents_lexemes').using('gin', t.lexemes).with({ gin_pending_list_limit: 1024 }),
    // Newest first, for words that most texts contain.
    index('search_documents_newest').on(t.orgId, t.createdAt.desc(), t.recordId.desc(), t.kind),
  ],
);

/**
 * Long bodies in overlapping pieces, so that a snippet is cut from the matching piece and not from a whole call. Short
 * bodies have no rows here. Maintained by the triggers of the documents.
 */
export const searchPassages = pgTable(
  'search_passages',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    kind: text('kind', { enum: ['record', 'transcript', 'analysis'] }).notNull(),
    /** In the order of the body, from 0. */
    number: integer('number').notNull(),
    body: text('body').notNull(),
    /** The line of the whole body that it begins in, from 0. */
    firstLine: integer('first_line'),
    /** In the language of the document, without the prefix of document lexemes. */
    lexemes: tsvector('lexemes').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId, t.kind, t.number] }),
    ofDocument('search_passages_document_fk', t),
  ],
);

/** Long documents from before there were passages, which are split in the background. */
export const searchPassagesDue = pgTable(
  'search_passages_due',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    kind: text('kind', { enum: ['record', 'transcript', 'analysis'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.recordId, t.kind] }), ofDocument('search_passages_due_document_fk', t)],
);

/** Organizations whose documents are from an earlier version: those before this place are made anew in the background. */
export const searchRemakes = pgTable('search_remakes', {
  orgId: orgId().primaryKey(),
  createdAt: instant('created_at').notNull(),
  recordId: text('record_id').notNull(),
});

/** The languages that an organization has documents in. */
export const searchLanguages = pgTable(
  'search_languages',
  { orgId: orgId(), language: text('language').notNull() },
  (t) => [primaryKey({ columns: [t.orgId, t.language] })],
);

type DocumentKey = Record<'orgId' | 'recordId' | 'kind', AnyPgColumn>;

function ofDocument(name: string, { orgId, recordId, kind }: DocumentKey) {
  const { orgId: org, recordId: record, kind: documentKind } = searchDocuments;
  return foreignKey({ name, columns: [orgId, recordId, kind], foreignColumns: [org, record, documentKind] }).onDelete(
    'cascade',
  );
}
