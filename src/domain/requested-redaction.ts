import { sql } from 'drizzle-orm';
import { projects } from '../db/schema/index.ts';
import type { RedactionDepth } from '../model/redaction.ts';

/** The redaction that the project asks for. */
export const requestedRedaction = sql<RedactionDepth>`case when not ${projects.redactPii} then 'none'
  when ${projects.redactNames} then 'names' else 'data' end`;
