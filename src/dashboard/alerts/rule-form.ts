import type { z } from 'zod';
import type { CreateAlertInput } from '../../domain/alerts/schemas.ts';

/** A rule as edited in the form, before validation. */
export type RuleForm = z.input<typeof CreateAlertInput>;
