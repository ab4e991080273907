import { z } from 'zod';
import { UploadMetadata } from '../../domain/intake/schemas.ts';
import '../lib/readable-messages.ts';

const { agentName, customerPhone, language } = UploadMetadata.shape;

/** What the user states about files that are uploaded together. */
export const UploadFacts = z.object({
  projectId: z.string().min(1, 'Choose a project.'),
  agentName,
  customerPhone,
  language,
});
export type UploadFacts = z.infer<typeof UploadFacts>;
