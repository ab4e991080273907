import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTRPC } from '../lib/trpc.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination, Table, Th } from '../ui/table.tsx';
import { MemberRow } from './member-row.tsx';

const pageSize = 25;

export function MembersCard() {
  const trpc = useTRPC();
  const { page = 1 } = useSearch({ from: '/app/team' });
  const navigate = useNavigate({ from: '/team' });
  const members = useQuery(
    trpc.users.list.queryOptions({ status: 'active', page, pageSize }, { placeholderData: keepPreviousData }),
  );
  // The first page includes all owners except in the largest teams; beyond that, the server decides.
  const owners = members.data?.data.filter(({ role }) => role === 'owner').length ?? 0;
  const isOnePage = (members.data?.meta.total ?? 0) <= pageSize;
  return (
    <Card title="Members" isFlush className="mb-5">
      {members.isPending && <SkeletonRows rows={3} className="h-15" />}
      {members.isError && <ErrorState error={members.error} onRetry={() => void members.refetch()} />}
      {members.data && (
        <>
          <Table label="Members">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Role</Th>
                <Th className="hidden md:table-cell">Projects</Th>
                <Th className="hidden sm:table-cell">Last seen</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {members.data.data.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  isLastOwner={member.role === 'owner' && owners === 1 && isOnePage}
                />
              ))}
            </tbody>
          </Table>
          {members.data.meta.total > pageSize && (
            <Pagination
              {...members.data.meta}
              onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
            />
          )}
        </>
      )}
    </Card>
  );
}
