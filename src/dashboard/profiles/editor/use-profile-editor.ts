import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { faultsWithName } from '../../lib/faults.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { toast } from '../../ui/toast.tsx';
import { findFaults, toDraft, toRubric, type Draft, type StoredProfile } from './draft.ts';

/** The draft, what is wrong with it, and its way to the service. */
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
  const change = (update: (now: Draft) => Draft): void => {
    setRefusals(new Map());
    setDraft(update);
  };
  const saving = useSave((saved) => {
    setBase(saved);
    setShowsAll(false);
  }, setRefusals);
  /** Gives the place of the first fault instead, where there is one. */
  const save = (): string | null => {
    const [first] = findFaults(draft).keys();
    setShowsAll(true);
    if (first !== undefined) return first;
    const { name, description } = draft;
    saving.mutate({ id: base.id, name, description, ...(isRubricDirty && rubric) });
    return null;
  };
  const discard = (): void => {
    setDraft(toDraft(base));
    setRefusals(new Map());
    setShowsAll(false);
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
    change,
    save,
    discard,
  };
}

function useSave(onSaved: (profile: StoredProfile) => void, onRefused: (faults: Map<string, string>) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/profiles/$id' });
  return useMutation(
    trpc.profiles.update.mutationOptions({
      onSuccess(saved) {
        onSaved(saved);
        queryClient.setQueryData(trpc.profiles.get.queryKey({ id: saved.id }), saved);
        void queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
        toast.done('Saved', `Calls are scored by version ${saved.version} from now on.`);
        void navigate({ search: (now) => ({ ...now, version: undefined }), replace: true, resetScroll: false });
      },
      onError(error) {
        const faults = faultsWithName(error);
        onRefused(new Map(faults.map(({ path, message }) => [path, message])));
        toast.failed('The profile was not saved', error);
      },
    }),
  );
}

/** Without what is undefined, which JSON leaves out. */
function textOf(rubric: ReturnType<typeof toRubric>): string {
  return JSON.stringify(sorted(rubric));
}

/** Fields in one order, whatever order they were set in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}
