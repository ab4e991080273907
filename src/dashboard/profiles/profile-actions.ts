import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteUndoably } from '../lib/leaving.ts';
import { statusOf, useTRPC, useTRPCClient, type Outputs } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';

type Profile = Outputs['profiles']['list']['data'][number];

const copiesMax = 20;

/** A copy of the profile under an unused name. */
export function useDuplicateProfile() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(profile: Profile): Promise<Profile> {
      const { description, languages, judgedShareMin, categories, compliance } = profile;
      for (let copy = 1; ; copy += 1) {
        const name = `${profile.name.slice(0, 105)} (copy${copy === 1 ? '' : ` ${copy}`})`;
        try {
          const rubric = { languages, judgedShareMin, categories, compliance };
          return await client.profiles.create.mutate({ name, description, ...rubric });
        } catch (error) {
          if (statusOf(error) !== 409 || copy >= copiesMax) throw error;
        }
      }
    },
    async onSuccess({ name }) {
      await queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
      toast.done(`“${name}” created`);
    },
    onError: (error) => toast.failed('The profile was not duplicated', error),
  });
}

/** It disappears at once; the service refuses if a project uses it. */
export function useDeleteProfile(): (profile: Profile) => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return ({ id, name }) =>
    deleteUndoably({
      id,
      title: `Profile “${name}” deleted`,
      async work() {
        await client.profiles.delete.mutate({ id });
        await queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
      },
    });
}
