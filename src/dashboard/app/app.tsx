import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { styleNonce } from '../lib/settings.ts';
import { TRPCProvider, type Client } from '../lib/trpc.ts';
import { ToastProvider } from '../ui/toast.tsx';
import type { AppRouter } from './router.tsx';

type AppProps = { router: AppRouter; queryClient: QueryClient; client: Client };

export function App({ router, queryClient, client }: AppProps) {
  const nonce = styleNonce();
  return (
    <StrictMode>
      <CSPProvider {...(nonce && { nonce })}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={client} queryClient={queryClient}>
            <Tooltip.Provider delay={300}>
              <ToastProvider>
                <RouterProvider router={router} />
              </ToastProvider>
            </Tooltip.Provider>
          </TRPCProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>
  );
}
