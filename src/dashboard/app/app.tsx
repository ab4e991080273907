import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { lazyLater } from '../lib/lazy-later.ts';
import { styleNonce } from '../lib/settings.ts';
import { TRPCProvider, type Client } from '../lib/trpc.ts';
import type { AppRouter } from './router.tsx';

const ToastViewport = lazyLater(async () => (await import('../ui/toast-viewport.tsx')).ToastViewport);

type AppProps = { router: AppRouter; queryClient: QueryClient; client: Client };

export function App({ router, queryClient, client }: AppProps) {
  const nonce = styleNonce();
  return (
    <StrictMode>
      <CSPProvider {...(nonce && { nonce })}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={client} queryClient={queryClient}>
            <RouterProvider router={router} />
            {/* If the viewport's file cannot be loaded, everything else still works. */}
            <CatchBoundary getResetKey={() => 'news'} errorComponent={() => null}>
              <Suspense>
                <ToastViewport />
              </Suspense>
            </CatchBoundary>
          </TRPCProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>
  );
}
