import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';
import { Input, Select } from '../ui/field.tsx';
import { CallsSearch } from './search.ts';

type Props = { search: CallsSearch; onChange: (part: Partial<CallsSearch>) => void };

const statuses = { pending: 'Waiting', processing: 'Processing', completed: 'Completed', failed: 'Failed' } as const;

export function CallsFilters({ search, onChange }: Props) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const set = (name: keyof CallsSearch) => (event: { target: { value: string } }) => {
    onChange(CallsSearch.partial().parse({ [name]: event.target.value || undefined }));
  };
  return (
    <div
      role="search"
      aria-label="Filter calls"
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3"
    >
      <Select aria-label="Project" value={search.projectId ?? ''} onChange={set('projectId')} className="!w-44">
        <option value="">All projects</option>
        {projects.data?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select aria-label="Status" value={search.status ?? ''} onChange={set('status')} className="!w-36">
        <option value="">Any status</option>
        {Object.entries(statuses).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Input
        aria-label="From"
        type="date"
        value={search.from ?? ''}
        max={search.to}
        onChange={set('from')}
        className="!w-36"
      />
      <Input
        aria-label="To"
        type="date"
        value={search.to ?? ''}
        min={search.from}
        onChange={set('to')}
        className="!w-36"
      />
    </div>
  );
}
