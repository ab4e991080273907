import { countProviderCall } from './metrics.ts';
import { withSpan } from './tracing.ts';

/** Words of ours for what is called and for what: they become labels of metrics and names of spans. */
export type ProviderOperation = { provider: string; operation: string };

/** Counts and times a call to something outside of this process, and makes a span of it where there is a trace. */
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
