import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatDate, formatDateTime, isPast } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Td } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

type ApiKey = Outputs['tokens']['list']['data'][number];

export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, start, lastFour, createdAt, lastUsedAt, expiresAt } = apiKey;
  const [isRevoking, setRevoking] = useState(false);
  return (
    <tr className="hover:bg-raised/60">
      <Td className="max-w-36 truncate font-medium sm:max-w-64">{name}</Td>
      <Td className="font-mono text-xs whitespace-nowrap text-ink-soft">
        {start}…{lastFour}
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft md:table-cell">
        <time dateTime={createdAt.toISOString()} title={formatDateTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">
        {lastUsedAt ? <span title={formatDateTime(lastUsedAt)}>{formatAgo(lastUsedAt)}</span> : 'Never'}
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">
        <Expiry at={expiresAt} />
      </Td>
      <Td className="w-12 text-right">
        <IconButton
          size="sm"
          label={`Revoke ${name}`}
          icon={<Trash2 className="size-4" aria-hidden />}
          onClick={() => setRevoking(true)}
        />
        <RevokeDialog apiKey={apiKey} isOpen={isRevoking} onClose={() => setRevoking(false)} />
      </Td>
    </tr>
  );
}

function Expiry({ at }: { at: Date | null }) {
  if (at === null) return 'Never';
  if (isPast(at)) return <Badge tone="bad">Expired</Badge>;
  return <time dateTime={at.toISOString()}>{formatDate(at)}</time>;
}

function RevokeDialog({ apiKey, isOpen, onClose }: { apiKey: ApiKey; isOpen: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      async onSuccess() {
        onClose();
        toast.done(`${apiKey.name} is revoked`);
        await queryClient.invalidateQueries({ queryKey: trpc.tokens.pathKey() });
      },
      onError: (error) => toast.failed(`${apiKey.name} was not revoked`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: apiKey.id })}
      isBusy={revoke.isPending}
      title={`Revoke ${apiKey.name}?`}
      description="Programs that use it are refused from their next request on. This cannot be undone."
      confirmLabel="Revoke"
    />
  );
}
