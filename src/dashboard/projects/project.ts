import type { z } from 'zod';
import type { CreateProjectInput } from '../../domain/projects/schemas.ts';
import type { Outputs } from '../lib/trpc.ts';

export type Project = Outputs['projects']['list']['data'][number];

/** A project as edited in the form, before validation. */
export type ProjectForm = z.input<typeof CreateProjectInput>;
