import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import * as z from 'zod/mini';
import { CallSearch } from '../call/search.ts';
import { ApiKeysSearch } from '../api-keys/search.ts';
import { BillingSearch } from '../billing/search.ts';
import { CallsSearch } from '../calls/search.ts';
import { OverviewSearch } from '../overview/search.ts';
import { entryOf } from '../embedded/entity.ts';
import { EntitySearch } from '../embedded/search.ts';
import { TeamSearch } from '../team/search.ts';
import { AlertsSearch } from '../alerts/search.ts';
import { ProfileSearch, ProfilesSearch } from '../profiles/search.ts';
import { ProjectsSearch } from '../projects/search.ts';
import { WebhookSearch, WebhooksSearch } from '../webhooks/search.ts';
import { callbackPath } from '../session/session.ts';
import type { RouterContext } from './context.ts';
import { loadMe } from './load-me.ts';
import { LoadingScreen, NotFoundPage, NotFoundScreen, RouteError } from './screens.tsx';
import { Shell } from './shell.tsx';

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundPage });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `to`: where to continue. `as`: whom to sign in as, with the embedded provider. */
  validateSearch: z.object({ to: z.optional(z.string()), as: z.optional(z.string()) }),
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const callbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: callbackPath,
  component: lazyRouteComponent(() => import('../sign-in/callback-page.tsx'), 'CallbackPage'),
});

/** Everything that requires signing in. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  async beforeLoad({ context, location }) {
    if (await context.session.isSignedIn()) return;
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
  loader: ({ context }) => loadMe(context),
  component: Shell,
  pendingComponent: LoadingScreen,
  errorComponent: RouteError,
});

const overviewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: OverviewSearch,
  component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
});

const firstStepsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/first-steps',
  component: lazyRouteComponent(() => import('../first-steps/first-steps-page.tsx'), 'FirstStepsPage'),
});

const callsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/calls',
  validateSearch: CallsSearch,
  component: lazyRouteComponent(() => import('../calls/calls-page.tsx'), 'CallsPage'),
});

const callRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/calls/$id',
  validateSearch: CallSearch,
  component: lazyRouteComponent(() => import('../call/call-page.tsx'), 'CallPage'),
});

/** Only in a CRM's frame, where addresses are not shown. */
const entityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/crm/$entityType/$entityId',
  validateSearch: EntitySearch,
  component: lazyRouteComponent(() => import('../embedded/entity-page.tsx'), 'EntityPage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  validateSearch: ProjectsSearch,
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
});

const profilesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles',
  validateSearch: ProfilesSearch,
  component: lazyRouteComponent(() => import('../profiles/profiles-page.tsx'), 'ProfilesPage'),
});

const profileRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles/$id',
  validateSearch: ProfileSearch,
  component: lazyRouteComponent(() => import('../profiles/profile-page.tsx'), 'ProfilePage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/alerts',
  validateSearch: AlertsSearch,
  component: lazyRouteComponent(() => import('../alerts/alerts-page.tsx'), 'AlertsPage'),
});

const teamRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/team',
  validateSearch: TeamSearch,
  component: lazyRouteComponent(() => import('../team/team-page.tsx'), 'TeamPage'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/api-keys',
  validateSearch: ApiKeysSearch,
  component: lazyRouteComponent(() => import('../api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks',
  validateSearch: WebhooksSearch,
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks/$id',
  validateSearch: WebhookSearch,
  component: lazyRouteComponent(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const billingRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/billing',
  validateSearch: BillingSearch,
  component: lazyRouteComponent(() => import('../billing/billing-page.tsx'), 'BillingPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  callbackRoute,
  appRoute.addChildren([
    overviewRoute,
    firstStepsRoute,
    callsRoute,
    callRoute,
    entityRoute,
    projectsRoute,
    profilesRoute,
    profileRoute,
    alertsRoute,
    teamRoute,
    apiKeysRoute,
    webhooksRoute,
    webhookRoute,
    billingRoute,
  ]),
]);

export function createAppRouter(context: RouterContext) {
  const { frame } = context.settings;
  const router = createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundScreen,
    defaultErrorComponent: RouteError,
    defaultPendingComponent: LoadingScreen,
    scrollRestoration: true,
    // In a CRM's frame, the browser's address belongs to the CRM.
    ...(frame && { history: createMemoryHistory({ initialEntries: [entryOf(frame)] }) }),
  });
  context.session.onExpired(() => void router.invalidate());
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
