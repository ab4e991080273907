import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, EllipsisVertical, Trash2 } from 'lucide-react';
import { formatDate } from '../lib/format.ts';
import { languageName } from '../lib/languages.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { useDeleteProfile, useDuplicateProfile } from './profile-actions.ts';
import { counted } from './words.ts';

export type Profile = Outputs['profiles']['list']['data'][number];

export function ProfilesTable({ profiles }: { profiles: Profile[] }) {
  const uses = useUses();
  return (
    <Table label="Profiles">
      <thead>
        <tr>
          <Th>Profile</Th>
          <Th>Version</Th>
          <Th className="hidden xl:table-cell">Rubric</Th>
          <Th className="hidden lg:table-cell">Languages</Th>
          <Th className="hidden sm:table-cell">Used by</Th>
          <Th className="hidden 2xl:table-cell">Created</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {profiles.map((profile) => (
          <ProfileRow key={profile.id} profile={profile} usedBy={uses?.get(profile.id) ?? []} />
        ))}
      </tbody>
    </Table>
  );
}

function ProfileRow({ profile, usedBy }: { profile: Profile; usedBy: string[] }) {
  const { id, name, description, version, categories, compliance, languages, createdAt } = profile;
  const can = useCan();
  const checks = categories.reduce((count, category) => count + category.checks.length, 0);
  return (
    <tr className="relative hover:bg-raised/60">
      <Td className="w-full max-w-0">
        <Link to="/profiles/$id" params={{ id }} className="block truncate font-medium after:absolute after:inset-0">
          {name}
        </Link>
        {description && <p className="truncate text-xs text-ink-faint">{description}</p>}
      </Td>
      <Td className="tabular-nums">{version}</Td>
      <Td className="hidden min-w-48 text-ink-soft tabular-nums xl:table-cell">
        {counted(categories.length, 'category', 'categories')}, {counted(checks, 'check')},{' '}
        {counted(compliance.length, 'compliance rule')}
      </Td>
      <Td className="hidden min-w-36 text-ink-soft lg:table-cell">
        {languages.length === 0 ? <span className="text-ink-faint">Any</span> : languages.map(languageName).join(', ')}
      </Td>
      <Td className="hidden text-ink-soft sm:table-cell">
        <Uses names={usedBy} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft 2xl:table-cell">{formatDate(createdAt)}</Td>
      <Td className="w-12 text-right">{can('profiles:write') && <ProfileMenu profile={profile} usedBy={usedBy} />}</Td>
    </tr>
  );
}

/** The first project, and the number of others. */
function Uses({ names }: { names: string[] }) {
  const [first, ...others] = names;
  if (first === undefined) return <span className="text-ink-faint">No project</span>;
  return (
    <span className="block max-w-48 min-w-28" title={names.join(', ')}>
      <span className="block truncate">{first}</span>
      {others.length > 0 && <span className="block text-xs text-ink-faint">and {others.length} more</span>}
    </span>
  );
}

function ProfileMenu({ profile, usedBy }: { profile: Profile; usedBy: string[] }) {
  const duplicate = useDuplicateProfile();
  const remove = useDeleteProfile();
  return (
    <span className="relative z-10">
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${profile.name}`}
            icon={<EllipsisVertical className="size-4" aria-hidden />}
          />
        }
      >
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => duplicate.mutate(profile)}>
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          isDanger
          icon={<Trash2 aria-hidden />}
          isDisabled={usedBy.length > 0}
          onSelect={() => remove(profile)}
        >
          {usedBy.length > 0 ? 'Delete (a project uses it)' : 'Delete'}
        </MenuItem>
      </Menu>
    </span>
  );
}

/** Names of the projects that use a profile, by its id. */
function useUses(): Map<string, string[]> | undefined {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  return projects.data && groupNames(projects.data.data);
}

function groupNames(projects: Outputs['projects']['list']['data']): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, profileId } of projects) names.set(profileId, [...(names.get(profileId) ?? []), name]);
  return names;
}
