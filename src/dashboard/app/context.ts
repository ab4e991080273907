import type { QueryClient } from '@tanstack/react-query';
import type { Settings } from '../lib/settings.ts';
import type { Client } from '../lib/trpc.ts';
import type { Session } from '../session/session.ts';

/** What every route receives. */
export type RouterContext = { session: Session; queryClient: QueryClient; client: Client; settings: Settings };
