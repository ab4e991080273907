import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLeaving } from '../lib/leaving.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { NewProfileDialog } from './new-profile-dialog.tsx';
import { ProfilesTable } from './profiles-table.tsx';

const pageSize = 25;

/** The rubrics that calls are scored by. */
export function ProfilesPage() {
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const create = can('profiles:write') && (
    <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setCreating(true)}>
      New profile
    </Button>
  );
  return (
    <Page title="Profiles" description="What a good call is: the rubrics that calls are scored by." actions={create}>
      {can('profiles:read') ? <Profiles create={create} /> : <NoPermission />}
      {isCreating && <NewProfileDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Profiles({ create }: { create: ReactNode }) {
  const trpc = useTRPC();
  const { page = 1 } = useSearch({ from: '/app/profiles' });
  const navigate = useNavigate({ from: '/profiles' });
  const leaving = useLeaving();
  const profiles = useQuery(trpc.profiles.list.queryOptions({ page, pageSize }, { placeholderData: keepPreviousData }));
  const shown = profiles.data?.data.filter(({ id }) => !leaving.has(id));
  return (
    <Card isFlush>
      {profiles.isPending && <SkeletonRows rows={4} className="h-16" />}
      {profiles.isError && <ErrorState error={profiles.error} onRetry={() => void profiles.refetch()} />}
      {shown?.length === 0 && (
        <Empty icon={<ListChecks aria-hidden />} title="No profiles yet" action={create}>
          Begin with a template for service, sales, support or collections, and make it yours.
        </Empty>
      )}
      {profiles.data && shown && shown.length > 0 && (
        <>
          <ProfilesTable profiles={shown} />
          {profiles.data.meta.total > pageSize && (
            <Pagination
              {...profiles.data.meta}
              onPage={(next) => void navigate({ search: { page: next === 1 ? undefined : next } })}
            />
          )}
        </>
      )}
    </Card>
  );
}
