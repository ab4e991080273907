import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';

const price = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

export function PricesCard() {
  const trpc = useTRPC();
  const prices = useQuery(trpc.billing.prices.queryOptions(undefined, { staleTime: Infinity }));
  if (prices.isPending) return <SkeletonRows rows={3} />;
  if (prices.isError) return <ErrorState error={prices.error} onRetry={() => void prices.refetch()} />;
  const { transcriptionPerMinute, analysisPerRecord, inputPerMillion, outputPerMillion } = prices.data;
  const rows = [
    ['A minute of transcription', transcriptionPerMinute],
    ['An analysis', analysisPerRecord],
    ...(inputPerMillion > 0 ? [['A million tokens read', inputPerMillion] as const] : []),
    ...(outputPerMillion > 0 ? [['A million tokens written', outputPerMillion] as const] : []),
  ] as const;
  return (
    <Card title="Prices" description="Lengths are rounded up to 0.1 minutes." className="h-fit">
      <dl className="grid gap-2 text-sm">
        {rows.map(([label, amount]) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="font-medium tabular-nums">{price.format(amount)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
