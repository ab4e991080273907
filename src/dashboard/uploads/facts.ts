import { z } from 'zod';
import { UploadMetadata } from '../../domain/intake/schemas.ts';
import '../lib/readable-messages.ts';

const { agentName, customerPhone, language } = UploadMetadata.shape;

/** What the reader tells about the files that they upload together. */
export const UploadFacts = z.object({
  projectId: z.string().min(1, 'Choose a project.'),
  agentName,
  customerPhone,
  language,
});
export type UploadFacts = z.infer<typeof UploadFacts>;
