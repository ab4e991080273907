import type { records } from '../../db/schema/index.ts';

export type RecordRow = typeof records.$inferSelect;

export type NewRecord = Omit<typeof records.$inferInsert, 'orgId'>;
