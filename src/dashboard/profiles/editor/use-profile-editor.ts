import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { faultsWithName, isOvertaken } from '../../lib/faults.ts';
import { useTRPC, type Inputs } from '../../lib/trpc.ts';
import { toast } from '../../ui/toast.tsx';
import { findFaults, toDraft, toRubric, type Draft, type StoredProfile } from './draft.ts';

/** The draft, its errors, and saving it. */
export function useProfileEditor(profile: StoredProfile) {
  const [base, setBase] = useState(profile);
  const [draft, setDraft] = useState<Draft>(() => toDraft(profile));
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const [showsAll, setShowsAll] = useState(false);
  const checked = useDeferredValue(draft);
  const found = useMemo(() => findFaults(checked), [checked]);
  const faults = useMemo(() => new Map([...refusals, ...found]), [refusals, found]);
  const rubric = useMemo(() => toRubric(draft), [draft]);
  const baseText = useMemo(() => textOf(toRubric(toDraft(base))), [base]);
  const isRubricDirty = textOf(rubric) !== baseText;
  const isDirty = isRubricDirty || draft.name !== base.name || draft.description !== base.description;
  const [theirs, setTheirs] = useState<StoredProfile | null>(null);
  const startFrom = (next: StoredProfile): void => {
    setBase(next);
    setDraft(toDraft(next));
    setRefusals(new Map());
    setShowsAll(false);
    setTheirs(null);
  };
  // Without unsaved changes, a version that somebody else saved is loaded.
  if (profile.version > base.version && !isDirty) startFrom(profile);
  const change = (update: (now: Draft) => Draft): void => {
    setRefusals(new Map());
    setDraft(update);
  };
  const saving = useSave({
    onSaved(saved, { categories }) {
      // Only the name was saved, but somebody else has saved another rubric.
      if (!categories && saved.version !== base.version) return startFrom(saved);
      setBase(saved);
      setShowsAll(false);
      setTheirs(null);
    },
    onRefused: setRefusals,
    onOvertaken: setTheirs,
  });
  /** Returns the path of the first error instead, if there is one. */
  const save = (): string | null => {
    const [first] = findFaults(draft).keys();
    setShowsAll(true);
    if (first !== undefined) return first;
    const { name, description } = draft;
    const { id, version: expectedVersion } = theirs ?? base;
    saving.mutate({
      id,
      ...(name !== base.name && { name }),
      ...(description !== base.description && { description }),
      ...(isRubricDirty && { ...rubric, expectedVersion }),
    });
    return null;
  };
  return {
    base,
    draft,
    rubric,
    faults,
    showsAll,
    isDirty,
    isRubricDirty,
    isSaving: saving.isPending,
    theirs,
    change,
    save,
    /** Back to the opened version, or to a newer one that somebody else has saved. */
    discard: () => startFrom(theirs ?? base),
  };
}

type SaveEvents = {
  onSaved: (profile: StoredProfile, sent: Inputs['profiles']['update']) => void;
  onRefused: (faults: Map<string, string>) => void;
  /** Called with the version that somebody else has saved since the profile was opened. */
  onOvertaken: (theirs: StoredProfile) => void;
};

function useSave({ onSaved, onRefused, onOvertaken }: SaveEvents) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/profiles/$id' });
  return useMutation(
    trpc.profiles.update.mutationOptions({
      onSuccess(saved, sent) {
        onSaved(saved, sent);
        queryClient.setQueryData(trpc.profiles.get.queryKey({ id: saved.id }), saved);
        void queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
        toast.done('Saved', sent.categories && `Calls are scored by version ${saved.version} from now on.`);
        void navigate({ search: (now) => ({ ...now, version: undefined }), replace: true, resetScroll: false });
      },
      async onError(refusal, { id }) {
        if (isOvertaken(refusal)) {
          const theirs = await queryClient
            .fetchQuery(trpc.profiles.get.queryOptions({ id }, { staleTime: 0 }))
            .catch(() => null);
          if (theirs) return onOvertaken(theirs);
        }
        onRefused(new Map(faultsWithName(refusal).map(({ path, message }) => [path, message])));
        toast.failed('The profile was not saved', refusal);
      },
    }),
  );
}

/** Without undefined values, which JSON omits. */
function textOf(rubric: ReturnType<typeof toRubric>): string {
  return JSON.stringify(sorted(rubric));
}

/** With sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}
