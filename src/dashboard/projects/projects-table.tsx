import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EllipsisVertical, PhoneCall, Settings2, ShieldCheck, Timer, Trash2 } from 'lucide-react';
import { formatClock, formatNumber } from '../lib/format.ts';
import { languageName } from '../lib/languages.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Badge, ScoreBadge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import type { Project } from './project.ts';

type Stats = Outputs['projects']['stats'];
type Props = { projects: Project[]; onEdit: (project: Project) => void; onDelete: (project: Project) => void };

const statsStaleMs = 60_000;

export function ProjectsTable({ projects, onEdit, onDelete }: Props) {
  const trpc = useTRPC();
  const profileNames = useProfileNames();
  const stats = useQueries({
    queries: projects.map(({ id }) => trpc.projects.stats.queryOptions({ id }, { staleTime: statsStaleMs })),
  });
  return (
    <Table label="Projects">
      <thead>
        <tr>
          <Th>Project</Th>
          <Th className="text-right">Calls</Th>
          <Th className="hidden text-right sm:table-cell">Last 30 days</Th>
          <Th className="text-right">Score</Th>
          <Th className="hidden text-right xl:table-cell">Length</Th>
          <Th className="hidden md:table-cell">Scored by</Th>
          <Th className="hidden xl:table-cell">Settings</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project, index) => (
          <ProjectRow
            key={project.id}
            project={project}
            stats={stats[index]?.data}
            profileName={profileNames?.get(project.profileId)}
            onEdit={() => onEdit(project)}
            onDelete={() => onDelete(project)}
          />
        ))}
      </tbody>
    </Table>
  );
}

type RowProps = {
  project: Project;
  stats: Stats | undefined;
  profileName: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
};

function ProjectRow({ project, stats, profileName, onEdit, onDelete }: RowProps) {
  const { id, name, description, recordCount, profileId } = project;
  const can = useCan();
  return (
    <tr className="hover:bg-raised/60">
      <Td className="w-full max-w-0 xl:w-auto xl:max-w-72">
        <Link to="/calls" search={{ projectId: id }} className="block truncate font-medium hover:underline">
          {name}
        </Link>
        {description && <p className="truncate text-xs text-ink-faint">{description}</p>}
      </Td>
      <Td className="text-right tabular-nums">{formatNumber(recordCount)}</Td>
      <Td className="hidden text-right tabular-nums sm:table-cell">
        <Figure stats={stats}>{({ totalRecords }) => formatNumber(totalRecords)}</Figure>
      </Td>
      <Td className="text-right">
        <Figure stats={stats}>
          {({ averageQualityScore: score }) => <ScoreBadge score={score === null ? null : Math.round(score)} />}
        </Figure>
      </Td>
      <Td className="hidden text-right tabular-nums xl:table-cell">
        <Figure stats={stats}>
          {({ averageDuration: seconds }) => (seconds === null ? '–' : formatClock(seconds * 1000))}
        </Figure>
      </Td>
      <Td className="hidden max-w-48 truncate md:table-cell">
        {can('profiles:read') && profileName ? (
          <Link to="/profiles/$id" params={{ id: profileId }} className="text-ink-soft hover:underline">
            {profileName}
          </Link>
        ) : (
          <span className="text-ink-faint">{profileName ?? '–'}</span>
        )}
      </Td>
      <Td className="hidden xl:table-cell">
        <SettingsBadges project={project} />
      </Td>
      <Td className="w-12 text-right">
        <ProjectMenu project={project} onEdit={onEdit} onDelete={onDelete} />
      </Td>
    </tr>
  );
}

function Figure({ stats, children }: { stats: Stats | undefined; children: (stats: Stats) => ReactNode }) {
  return stats ? children(stats) : <Skeleton className="ml-auto h-4 w-10" />;
}

function SettingsBadges({ project: { language, settings } }: { project: Project }) {
  const { redactPii, redactNames, retentionDays } = settings;
  return (
    <span className="flex flex-wrap gap-1">
      {language && <Badge>{languageName(language)}</Badge>}
      {redactPii && (
        <Badge tone="good" icon={<ShieldCheck aria-hidden />}>
          {redactNames ? 'Redacted, with names' : 'Redacted'}
        </Badge>
      )}
      {retentionDays !== null && (
        <Badge icon={<Timer aria-hidden />}>
          {formatNumber(retentionDays)} {retentionDays === 1 ? 'day' : 'days'}
        </Badge>
      )}
    </span>
  );
}

function ProjectMenu({ project, onEdit, onDelete }: Omit<RowProps, 'stats' | 'profileName'>) {
  const can = useCan();
  if (!can('projects:update'))
    return (
      <Link to="/calls" search={{ projectId: project.id }} className="text-accent hover:underline">
        Calls
      </Link>
    );
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={`Actions for ${project.name}`}
          icon={<EllipsisVertical className="size-4" aria-hidden />}
        />
      }
    >
      <MenuItem icon={<Settings2 aria-hidden />} onSelect={onEdit}>
        Edit
      </MenuItem>
      <CallsItem projectId={project.id} />
      {can('projects:delete') && (
        <>
          <MenuSeparator />
          <MenuItem isDanger icon={<Trash2 aria-hidden />} onSelect={onDelete}>
            Delete…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function CallsItem({ projectId }: { projectId: string }) {
  const navigate = useNavigate();
  return (
    <MenuItem icon={<PhoneCall aria-hidden />} onSelect={() => void navigate({ to: '/calls', search: { projectId } })}>
      Show its calls
    </MenuItem>
  );
}

/** By id; undefined if the role may not read profiles. */
function useProfileNames(): Map<string, string> | undefined {
  const trpc = useTRPC();
  const can = useCan();
  const profiles = useQuery(
    trpc.profiles.list.queryOptions({ pageSize: 100 }, { enabled: can('profiles:read'), staleTime: statsStaleMs }),
  );
  return profiles.data && new Map(profiles.data.data.map(({ id, name }) => [id, name]));
}
