import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import { deleteUndoably, useLeaving } from '../lib/leaving.ts';
import { statusOf, useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';
import type { Project } from './project.ts';
import { ProjectsTable } from './projects-table.tsx';

const pageSize = 25;

/** The projects of the organization, with their figures. */
export function ProjectsPage() {
  const trpc = useTRPC();
  const can = useCan();
  const { page = 1 } = useSearch({ from: '/app/projects' });
  const navigate = useNavigate({ from: '/projects' });
  const leaving = useLeaving();
  const [edited, setEdited] = useState<Project | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Project | null>(null);
  const remove = useRemoveProject(setDeleted);
  const projects = useQuery(trpc.projects.list.queryOptions({ page, pageSize }, { placeholderData: keepPreviousData }));
  const shown = projects.data?.data.filter(({ id }) => !leaving.has(id));
  const create = can('projects:create') && (
    <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setEdited('new')}>
      New project
    </Button>
  );
  return (
    <Page
      title="Projects"
      description="A project groups calls, and sets how they are transcribed, scored and kept."
      actions={create}
    >
      <Card isFlush>
        {projects.isPending && <SkeletonRows rows={4} className="h-16" />}
        {projects.isError && <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
        {shown?.length === 0 && (
          <Empty icon={<FolderKanban aria-hidden />} title="No projects yet" action={create}>
            {can('projects:create')
              ? 'Calls are uploaded into a project. Make the first one, for example for a line or a team.'
              : 'An owner or admin can make one, or give you access to one.'}
          </Empty>
        )}
        {projects.data && shown && shown.length > 0 && (
          <>
            <ProjectsTable projects={shown} onEdit={setEdited} onDelete={remove} />
            <Pagination
              {...projects.data.meta}
              onPage={(next) => void navigate({ search: { page: next === 1 ? undefined : next } })}
            />
          </>
        )}
      </Card>
      {edited && (
        <ProjectDialog
          key={edited === 'new' ? 'new' : edited.id}
          project={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted && <DeleteProjectDialog project={deleted} onClose={() => setDeleted(null)} />}
    </Page>
  );
}

/** An empty project is deleted at once, with undo. For one with calls, a dialog asks. */
function useRemoveProject(ask: (project: Project) => void): (project: Project) => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return (project) => {
    const { id, name, recordCount } = project;
    if (recordCount > 0) return ask(project);
    deleteUndoably({
      id,
      title: `Project “${name}” deleted`,
      async work() {
        try {
          await client.projects.delete.mutate({ id });
        } catch (error) {
          if (statusOf(error) === 409) ask(project);
          throw error;
        } finally {
          await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
        }
      },
    });
  };
}
