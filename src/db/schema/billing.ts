import { sql } from 'drizzle-orm';
import { bigint, check, date, index, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';

/** Money: exact decimals, text in JavaScript, and only ever computed by Postgres. */
function money(name: string) {
  return numeric(name, { precision: 18, scale: 4 });
}

/**
 * What was billed, once for each key: `record:<id>` for processing a recording, `analysis:<id>` for a further analysis.
 * No foreign keys, here and in `usage_days`: usage outlives records and projects.
 */
export const usageEntries = pgTable(
  'usage_entries',
  {
    orgId: orgId(),
    key: text('key').notNull(),
    recordId: text('record_id').notNull(),
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    records: integer('records').notNull(),
    minutes: numeric('minutes', { precision: 12, scale: 1 }).notNull(),
    transcriptionCost: money('transcription_cost').notNull(),
    analysisCost: money('analysis_cost').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.key] })],
);

/** The entries summed up by project and day (UTC), so that usage is read without looking at records. */
export const usageDays = pgTable(
  'usage_days',
  {
    orgId: orgId(),
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    records: bigint('records', { mode: 'number' }).notNull(),
    minutes: numeric('minutes', { precision: 18, scale: 1 }).notNull(),
    transcriptionCost: money('transcription_cost').notNull(),
    analysisCost: money('analysis_cost').notNull(),
    /** When something was last billed for that day. */
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.day, t.projectId] })],
);

/** What changes the balance besides usage, which is read from `usage_days`. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    type: text('type', { enum: ['grant', 'purchase', 'refund', 'expiry'] }).notNull(),
    /** Signed: the change of the balance. */
    amount: money('amount').notNull(),
    description: text('description').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.id] }), index('credit_entries_created').on(t.orgId, t.createdAt, t.id)],
);

/**
 * The limit of an organization. `used` and `reserved` are only maintained while there is a limit, so that without one
 * nobody waits for this row; setting a limit recomputes them.
 */
export const budgets = pgTable(
  'budgets',
  {
    orgId: orgId()
      .primaryKey()
      .references(() => orgs.id, { onDelete: 'cascade' }),
    budgetLimit: money('budget_limit'),
    /** The month (UTC) of `used`, `YYYY-MM`. */
    period: text('period').notNull(),
    used: money('used').notNull().default('0'),
    /** For calls that were accepted and are not processed yet. */
    reserved: money('reserved').notNull().default('0'),
    updatedAt: instant('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  () => [check('budgets_limit', sql`budget_limit >= 0`)],
);
