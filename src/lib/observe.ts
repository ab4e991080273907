import { countProviderCall } from './metrics.ts';
import { withSpan } from './tracing.ts';

/** Fixed names of the provider and the operation: they become metric labels and span names. */
export type ProviderOperation = { provider: string; operation: string };

/** Counts and times a call to an external service, and traces it where tracing is on. */
export async function observed<T>({ provider, operation }: ProviderOperation, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const count = (error: unknown) =>
    countProviderCall({ provider, operation, error, seconds: (performance.now() - from) / 1000 });
  const attributes = { 'earshot.provider': provider, 'earshot.operation': operation };
  return withSpan({ name: `${provider} ${operation}`, kind: 'client', attributes }, async () => {
    try {
      const result = await work();
      count(undefined);
      return result;
    } catch (error) {
      count(error);
      throw error;
    }
  });
}
