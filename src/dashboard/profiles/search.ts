import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

export const ProfilesSearch = z.object({ page: page });

/** `version`: an earlier one to view. `call`: the call in the preview. `view`, `pane`: what is shown. */
export const ProfileSearch = z.object({
  version: page,
  call: pick(z.string()),
  view: pick(z.enum(['form', 'json'])),
  pane: pick(z.enum(['rubric', 'preview'])),
});
export type ProfileSearch = z.infer<typeof ProfileSearch>;
