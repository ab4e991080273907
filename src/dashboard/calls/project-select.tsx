import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useTRPC } from '../lib/trpc.ts';
import { Select } from '../ui/field.tsx';

type Props = { value: string | undefined; onChange: (id: string | undefined) => void; className?: string };

export function ProjectSelect({ value, onChange, className }: Props) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  return (
    <Select
      aria-label="Project"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
      className={clsx('text-ellipsis', className)}
    >
      <option value="">All projects</option>
      {projects.data?.data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
