import { z } from 'zod';

export const ProfilesSearch = z.object({ page: z.int().min(1).optional().catch(undefined) });

/** `version`: an earlier one, to look at. `call`: what the preview scores. `view`, `pane`: what is shown of it. */
export const ProfileSearch = z.object({
  version: z.int().min(1).optional().catch(undefined),
  call: z.string().optional().catch(undefined),
  view: z.enum(['form', 'json']).optional().catch(undefined),
  pane: z.enum(['rubric', 'preview']).optional().catch(undefined),
});
export type ProfileSearch = z.infer<typeof ProfileSearch>;
