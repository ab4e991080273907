import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Coins } from 'lucide-react';
import { formatDateTime, formatMoney } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination, Table, Td, Th } from '../ui/table.tsx';

const pageSize = 20;

type Entry = Outputs['billing']['credits']['data'][number];

const kinds: Record<Entry['type'], { label: string; tone: Tone }> = {
  grant: { label: 'Grant', tone: 'good' },
  purchase: { label: 'Purchase', tone: 'good' },
  refund: { label: 'Refund', tone: 'good' },
  usage: { label: 'Usage', tone: 'neutral' },
  expiry: { label: 'Expiry', tone: 'warn' },
};

/** Credits and what they were used for, with the balance after each. */
export function LedgerCard() {
  const trpc = useTRPC();
  const { org } = useMe();
  const { page = 1 } = useSearch({ from: '/app/billing' });
  const navigate = useNavigate({ from: '/billing' });
  const ledger = useQuery(
    trpc.billing.credits.queryOptions({ orgId: org.id, page, pageSize }, { placeholderData: keepPreviousData }),
  );
  return (
    <Card
      className="mt-5"
      title="Credits"
      description={ledger.data ? `The balance is ${formatMoney(ledger.data.meta.balance)}.` : 'Loading'}
      isFlush
    >
      {ledger.isPending && <SkeletonRows rows={4} />}
      {ledger.isError && <ErrorState error={ledger.error} onRetry={() => void ledger.refetch()} />}
      {ledger.data?.meta.total === 0 && (
        <Empty icon={<Coins aria-hidden />} title="No credits and no usage yet">
          A credit is one unit of the currency of the prices. The operator of this service grants credits, and usage is
          deducted day by day. Only the budget stops processing.
        </Empty>
      )}
      {ledger.data && ledger.data.meta.total > 0 && (
        <>
          <LedgerTable entries={ledger.data.data} />
          <Pagination
            {...ledger.data.meta}
            onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }), resetScroll: false })}
          />
        </>
      )}
    </Card>
  );
}

function LedgerTable({ entries }: { entries: Entry[] }) {
  return (
    <Table label="Credits">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Kind</Th>
          <Th className="hidden sm:table-cell">Description</Th>
          <Th className="text-right">Amount</Th>
          <Th className="text-right">Balance</Th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, type, amount, balance, description, createdAt }) => (
          <tr key={id} className="hover:bg-raised/60">
            <Td className="text-ink-soft sm:whitespace-nowrap">{formatDateTime(createdAt)}</Td>
            <Td>
              <Badge tone={kinds[type].tone}>{kinds[type].label}</Badge>
            </Td>
            <Td className="hidden max-w-80 truncate sm:table-cell">{description}</Td>
            <Td className={clsx('text-right tabular-nums', amount > 0 && 'text-good')}>
              {amount > 0 && '+'}
              {formatMoney(amount)}
            </Td>
            <Td className={clsx('text-right font-medium tabular-nums', balance < 0 && 'text-bad')}>
              {formatMoney(balance)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
