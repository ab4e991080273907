import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { CreateProjectInput } from '../../domain/projects/schemas.ts';
import { useEdition } from '../lib/edition.ts';
import { faultsWithName } from '../lib/faults.ts';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';
import { ProjectFields } from './project-fields.tsx';
import type { Project, ProjectForm } from './project.ts';
import '../lib/readable-messages.ts';

const fieldNames = [
  'name',
  'description',
  'language',
  'profileId',
  'settings.redactPii',
  'settings.redactNames',
  'settings.retentionDays',
  'settings.channelMap',
] as const;

/** Creates or edits a project. */
export function ProjectDialog({ project, onClose }: { project: Project | null; onClose: () => void }) {
  const form = useForm<ProjectForm, unknown, CreateProjectInput>({
    resolver: zodResolver(CreateProjectInput),
    defaultValues: valuesOf(project),
  });
  const save = useSaveProject(project, onClose);
  const [failure, setFailure] = useState<unknown>(null);
  const submit = form.handleSubmit((values) =>
    save.mutateAsync(values).catch((error: unknown) => {
      const faults = faultsWithName(error).flatMap(({ path, message }) => {
        const field = fieldNames.find((name) => name === path);
        return field ? [{ field, message }] : [];
      });
      for (const { field, message } of faults) form.setError(field, { message }, { shouldFocus: true });
      setFailure(faults.length === 0 ? error : null);
    }),
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={project ? 'Edit project' : 'New project'}
      description={project ? undefined : 'Everything here can be changed later.'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="project" isBusy={save.isPending}>
            {project ? 'Save' : 'Create project'}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form id="project" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 pb-1">
          <ProjectFields project={project} />
          <FormError error={failure} />
        </form>
      </FormProvider>
    </Dialog>
  );
}

function useSaveProject(project: Project | null, onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    async onSuccess({ name }: { name: string }) {
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
      toast.done(project ? `“${name}” saved` : `“${name}” created`);
      onClose();
    },
  };
  const create = useMutation(trpc.projects.create.mutationOptions(options));
  const update = useMutation(trpc.projects.update.mutationOptions({ ...options, ...useEdition(project) }));
  return {
    isPending: create.isPending || update.isPending,
    mutateAsync: (values: CreateProjectInput) =>
      project ? update.mutateAsync({ id: project.id, ...values }) : create.mutateAsync(values),
  };
}

function valuesOf(project: Project | null): ProjectForm {
  const { name = '', description = '', language = null, profileId } = project ?? {};
  const settings = project?.settings ?? { redactPii: false, redactNames: false, retentionDays: null, channelMap: null };
  return { name, description, language, profileId, settings };
}
