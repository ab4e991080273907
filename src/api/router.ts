import { accountsRouter } from '../domain/accounts/router.ts';
import { alertsRouter } from '../domain/alerts/router.ts';
import { analysesRouter } from '../domain/analyses/router.ts';
import { annotationsRouter } from '../domain/annotations/router.ts';
import { billingRouter } from '../domain/billing/router.ts';
import { intakeRouter } from '../domain/intake/router.ts';
import { matchesRouter } from '../domain/matches/router.ts';
import { meRouter } from '../domain/me/router.ts';
import { onboardingRouter } from '../domain/onboarding/router.ts';
import { orgsRouter } from '../domain/orgs/router.ts';
import { overviewRouter } from '../domain/overview/router.ts';
import { portalsRouter } from '../domain/portals/router.ts';
import { processingRouter, reanalysisRouter } from '../domain/processing/router.ts';
import { profilesRouter } from '../domain/profiles/router.ts';
import { projectsRouter } from '../domain/projects/router.ts';
import { recordingsRouter } from '../domain/recordings/router.ts';
import { recordsRouter } from '../domain/records/router.ts';
import { reviewsRouter } from '../domain/reviews/router.ts';
import { searchRouter } from '../domain/search/router.ts';
import { tokensRouter } from '../domain/tokens/router.ts';
import { transcriptsRouter } from '../domain/transcripts/router.ts';
import { usersRouter } from '../domain/users/router.ts';
import { webhooksRouter } from '../domain/webhooks/router.ts';
import { mergeRouters, router } from '../trpc/procedures.ts';

export const appRouter = router({
  accounts: accountsRouter,
  alerts: alertsRouter,
  analyses: mergeRouters(analysesRouter, reanalysisRouter),
  annotations: annotationsRouter,
  billing: billingRouter,
  matches: matchesRouter,
  me: meRouter,
  onboarding: onboardingRouter,
  orgs: orgsRouter,
  overview: overviewRouter,
  portals: portalsRouter,
  profiles: profilesRouter,
  projects: projectsRouter,
  records: mergeRouters(recordsRouter, intakeRouter, transcriptsRouter, recordingsRouter, processingRouter),
  reviews: reviewsRouter,
  search: searchRouter,
  tokens: tokensRouter,
  users: usersRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
