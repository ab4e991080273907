import { useMutation, useQueryClient } from '@tanstack/react-query';
import { selectOrg } from '../session/selected-org.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import type { Member } from './roles.ts';

type Props = { member: Member; isOpen: boolean; onClose: () => void };

export function RemoveDialog({ member, isOpen, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user, org } = useMe();
  const isSelf = member.id === user.id;
  const name = member.name ?? member.email;
  const remove = useMutation(
    trpc.users.remove.mutationOptions({
      onSuccess() {
        onClose();
        if (isSelf) return leave();
        void queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() });
        toast.done(`${name} is removed`);
      },
      onError: (error) => toast.failed(`${name} was not removed`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: member.id })}
      isBusy={remove.isPending}
      title={isSelf ? `Leave ${org.name}?` : `Remove ${name}?`}
      description={
        isSelf
          ? 'Your sessions and API keys of this organization end at once. Only an invite brings you back.'
          : 'Their sessions and API keys of this organization end at once. Their calls, comments and reviews stay.'
      }
      confirmLabel={isSelf ? 'Leave' : 'Remove'}
    />
  );
}

/** Switches to another organization of the user. */
function leave(): void {
  selectOrg(null);
  location.assign('/');
}
