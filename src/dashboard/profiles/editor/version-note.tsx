import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, History, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { isOvertaken } from '../../lib/faults.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCan } from '../../session/me.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import type { StoredProfile } from './draft.ts';

type Props = { profile: StoredProfile; latest: number; isEarlier: boolean; faultCount: number };

/** Why nothing can be changed, or what prevents saving. */
export function VersionNote({ profile, latest, isEarlier, faultCount }: Props) {
  const can = useCan();
  const navigate = useNavigate({ from: '/profiles/$id' });
  const restore = useRestore();
  if (isEarlier)
    return (
      <Note icon={<History aria-hidden />}>
        <span className="min-w-0 flex-1">
          You are looking at version {profile.version} of {latest}. Analyses that used it keep it.
        </span>
        {can('profiles:write') && (
          <Button
            size="sm"
            isBusy={restore.isPending}
            onClick={() => restore.mutate({ ...rubricOf(profile), expectedVersion: latest })}
          >
            Restore as version {latest + 1}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          onClick={() => void navigate({ search: (now) => ({ ...now, version: undefined }) })}
        >
          Back to the current one
        </Button>
      </Note>
    );
  if (!can('profiles:write'))
    return <Note icon={<Lock aria-hidden />}>Your role may read this profile. Owners and admins change it.</Note>;
  if (faultCount === 0) return null;
  return (
    <div role="alert">
      <Note icon={<CircleAlert aria-hidden className="text-bad" />}>
        {faultCount === 1 ? 'One field is' : `${faultCount} fields are`} not valid yet, so nothing was saved.
      </Note>
    </div>
  );
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5 rounded-xl border border-line bg-raised px-4 py-2.5 text-sm [&>svg]:size-4 [&>svg]:shrink-0">
      {icon}
      {children}
    </div>
  );
}

const rubricOf = ({ id, languages, categories, compliance }: StoredProfile) => ({
  id,
  languages,
  categories,
  compliance,
});

function useRestore() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/profiles/$id' });
  return useMutation(
    trpc.profiles.update.mutationOptions({
      async onSuccess(saved) {
        queryClient.setQueryData(trpc.profiles.get.queryKey({ id: saved.id }), saved);
        await navigate({ search: (now) => ({ ...now, version: undefined }) });
        void queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
        toast.done(`Restored as version ${saved.version}`);
      },
      onError(error, { id }) {
        if (isOvertaken(error)) void queryClient.invalidateQueries({ queryKey: trpc.profiles.get.queryKey({ id }) });
        toast.failed('The version was not restored', error);
      },
    }),
  );
}
