import type { z } from 'zod';
import type { CreateAlertInput } from '../../domain/alerts/schemas.ts';

/** A rule as its form holds it, before it is checked. */
export type RuleForm = z.input<typeof CreateAlertInput>;
