import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';
import { SkeletonRows } from '../ui/states.tsx';
import { useProjectNames } from './use-project-names.ts';

type Props = { value: string[] | null; onChange: (projectIds: string[] | null) => void; error?: string | undefined };

/** All projects, or the chosen ones. */
export function ProjectsField({ value, onChange, error }: Props) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const names = useProjectNames();
  const shown = projects.data?.data ?? [];
  // Beyond the first hundred, existing choices can still be removed.
  const others = (value ?? []).filter((id) => !shown.some((project) => project.id === id));
  const toggle = (id: string, isOn: boolean): void => {
    const chosen = value ?? [];
    onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  };
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Projects</legend>
      <label className="flex items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={value === null}
          onChange={(event) => onChange(event.target.checked ? null : [])}
          className="size-4 accent-accent"
        />
        All projects, including future ones
      </label>
      {value !== null && projects.isPending && <SkeletonRows rows={2} className="h-9" />}
      {value !== null && (
        <div className="grid max-h-44 overflow-y-auto rounded-lg border border-line py-1">
          {[...shown.map(({ id }) => id), ...others].map((id) => (
            <label key={id} className="flex items-center gap-2.5 px-3 py-1.5 text-sm hover:bg-raised">
              <input
                type="checkbox"
                checked={value.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
                className="size-4 accent-accent"
              />
              <span className="truncate">{names(id)}</span>
            </label>
          ))}
        </div>
      )}
      {error && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}
