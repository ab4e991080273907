import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatAgo } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { RoleBadge } from './member-row.tsx';

type Match = Outputs['matches']['list']['data'][number];

const pageSize = 100;

/** People who have been here, and now sign in at the identity provider for the first time. Nothing is shown without any. */
export function MatchesCard() {
  const trpc = useTRPC();
  const matches = useQuery(trpc.matches.list.queryOptions({ pageSize }));
  if (matches.isError) return <ErrorState error={matches.error} onRetry={() => void matches.refetch()} />;
  const { data = [], meta } = matches.data ?? {};
  if (data.length === 0) return null;
  const more = (meta?.total ?? 0) - data.length;
  return (
    <Card
      title="Waiting to be confirmed"
      description="They sign in at your identity provider with the address of a member. Once confirmed, they are that member."
      isFlush
      className="mb-5"
    >
      <Table label="Waiting to be confirmed">
        <thead>
          <tr>
            <Th>Signs in as</Th>
            <Th>Member</Th>
            <Th className="hidden md:table-cell">Role</Th>
            <Th className="hidden sm:table-cell">Since</Th>
            <Th>
              <span className="sr-only">Decision</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.map((match) => (
            <MatchRow key={match.id} match={match} />
          ))}
        </tbody>
      </Table>
      {more > 0 && <p className="px-4 py-3 text-xs text-ink-faint sm:px-5">{more} more wait.</p>}
    </Card>
  );
}

function MatchRow({ match }: { match: Match }) {
  const { email, name, issuer, user, createdAt, canDecide } = match;
  const [confirm, refuse] = [useDecision('confirm', match), useDecision('refuse', match)];
  const isBusy = confirm.isPending || refuse.isPending;
  return (
    <tr className="hover:bg-raised/60">
      <Td className="w-1/2 max-w-0 truncate" title={`${email}, ${issuer}`}>
        <span className="font-medium">{name ?? email}</span>
        <span className="block truncate text-xs text-ink-faint">{email}</span>
      </Td>
      <Td className="max-w-40 truncate text-ink-soft">{user.name}</Td>
      <Td className="hidden md:table-cell">
        <RoleBadge role={user.role} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">{formatAgo(createdAt)}</Td>
      <Td className="text-right">
        {canDecide ? (
          <span className="flex flex-wrap justify-end gap-2">
            <Button size="sm" disabled={isBusy} aria-label={`Confirm ${email}`} onClick={confirm.run}>
              Confirm
            </Button>
            <Button size="sm" variant="ghost" disabled={isBusy} aria-label={`Refuse ${email}`} onClick={refuse.run}>
              Refuse
            </Button>
          </span>
        ) : (
          <span className="text-xs text-ink-faint">Is in another organization too: the operator decides</span>
        )}
      </Td>
    </tr>
  );
}

function useDecision(decision: 'confirm' | 'refuse', { id, email }: Match): { run: () => void; isPending: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation(
    trpc.matches[decision].mutationOptions({
      onSuccess: () => toast.done(decision === 'confirm' ? `${email} is in` : `${email} was refused`),
      onError: (error) => toast.failed('That was not decided', error),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.matches.pathKey() }),
    }),
  );
  return { run: () => mutate({ id }), isPending };
}
