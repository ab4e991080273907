import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { Pagination, Table, Th } from '../ui/table.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';

/** The user's own keys: each acts as the user, in this organization. */
export function ApiKeysPage() {
  const can = useCan();
  const { org } = useMe();
  const [isCreating, setCreating] = useState(false);
  if (!can('tokens:own')) {
    return (
      <Page title="API keys">
        <NoPermission />
      </Page>
    );
  }
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" aria-hidden />}>
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description={`For programs that work in ${org.name} on your behalf, with your role. Nobody else sees them.`}
      actions={create}
    >
      <Card isFlush>
        <Keys onCreate={() => setCreating(true)} />
      </Card>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const pageSize = 25;

function Keys({ onCreate }: { onCreate: () => void }) {
  const trpc = useTRPC();
  const { page = 1 } = useSearch({ from: '/app/settings/api-keys' });
  const navigate = useNavigate({ from: '/settings/api-keys' });
  const keys = useQuery(trpc.tokens.list.queryOptions({ page, pageSize }, { placeholderData: keepPreviousData }));
  if (keys.isPending) return <SkeletonRows rows={3} />;
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  const { data, meta } = keys.data;
  if (meta.total === 0) {
    return (
      <Empty
        icon={<KeyRound aria-hidden />}
        title="No API keys yet"
        action={<Button onClick={onCreate}>Create key</Button>}
      >
        Create one to upload calls and read scores from your own programs. The{' '}
        <a href="/docs" target="_blank" rel="noopener" className="text-accent underline underline-offset-2">
          API documentation
        </a>{' '}
        shows what it can do.
      </Empty>
    );
  }
  return (
    <>
      <Table label="API keys">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Key</Th>
            <Th className="hidden md:table-cell">Created</Th>
            <Th className="hidden sm:table-cell">Last used</Th>
            <Th className="hidden sm:table-cell">Expires</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </tbody>
      </Table>
      {meta.total > pageSize && <Pagination {...meta} onPage={(next) => void navigate({ search: { page: next } })} />}
    </>
  );
}
