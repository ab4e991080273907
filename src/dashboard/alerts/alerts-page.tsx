import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bell, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLeaving } from '../lib/leaving.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import type { Rule } from './condition-words.ts';
import { Firings } from './firings.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { RulesTable } from './rules-table.tsx';

const pageSize = 20;
const pollMs = 10_000;

/** Rules that watch every analysis, and what they found. */
export function AlertsPage() {
  const can = useCan();
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const create = can('alerts:write') && (
    <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setEdited('new')}>
      New alert
    </Button>
  );
  return (
    <Page
      title="Alerts"
      description="Rules that watch every call, and tell you when one needs a look."
      actions={create}
    >
      {can('alerts:read') ? <Rules create={create} onEdit={setEdited} /> : <NoPermission />}
      {edited && <RuleDialog rule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function Rules({ create, onEdit }: { create: ReactNode; onEdit: (rule: Rule) => void }) {
  const trpc = useTRPC();
  const search = useSearch({ from: '/app/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const leaving = useLeaving();
  const rules = useQuery(
    trpc.alerts.list.queryOptions(
      { page: search.rules ?? 1, pageSize },
      { placeholderData: keepPreviousData, refetchInterval: pollMs },
    ),
  );
  const shown = rules.data?.data.filter(({ id }) => !leaving.has(id));
  const chosen = shown?.find(({ id }) => id === search.rule) ?? (search.rule ? undefined : latest(shown ?? []));
  if (rules.isPending)
    return (
      <Card isFlush>
        <SkeletonRows rows={4} className="h-16" />
      </Card>
    );
  if (!rules.data || !shown) return <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />;
  if (shown.length === 0)
    return (
      <Card isFlush>
        <Empty icon={<Bell aria-hidden />} title="No alerts yet" action={create}>
          For example: tell me when a quality score is below 50, or when compliance failed.
        </Empty>
      </Card>
    );
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <Card isFlush title="Rules">
        <RulesTable
          rules={shown}
          chosenId={chosen?.id}
          onChoose={(rule) => void navigate({ search: (now) => ({ ...now, rule, page: undefined }), replace: true })}
          onEdit={onEdit}
        />
        {rules.data.meta.total > pageSize && (
          <Pagination
            {...rules.data.meta}
            onPage={(next) => void navigate({ search: { rules: next === 1 ? undefined : next } })}
          />
        )}
      </Card>
      {chosen && <Firings key={chosen.id} rule={chosen} />}
    </div>
  );
}

/** The rule that fired most recently, else the first. */
function latest(rules: Rule[]): Rule | undefined {
  return rules.toSorted((a, b) => (b.lastTriggeredAt?.getTime() ?? 0) - (a.lastTriggeredAt?.getTime() ?? 0))[0];
}
