import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { CreateProjectInput } from '../../domain/projects/schemas.ts';
import { useEdition } from '../lib/edition.ts';
import { useTRPC } from '../lib/trpc.ts';
import { ChannelMapField } from '../projects/channel-map-field.tsx';
import { LanguageField } from '../projects/language-field.tsx';
import type { Project, ProjectForm } from '../projects/project.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { StepActions, type StepProps } from './step.tsx';
import { useSettleStep } from './use-first-steps.ts';
import '../lib/readable-messages.ts';

/** The first project, which every organization begins with. */
export function ProjectStep(props: StepProps) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 1 }));
  return (
    <Loaded query={projects} className="h-40">
      {({ data: [project] }) => <ProjectStepForm key={project?.id} project={project ?? null} {...props} />}
    </Loaded>
  );
}

function ProjectStepForm({ project, onDone, onSkip }: StepProps & { project: Project | null }) {
  const form = useForm<ProjectForm, unknown, CreateProjectInput>({
    resolver: zodResolver(CreateProjectInput),
    defaultValues: {
      name: project?.name ?? '',
      language: project?.language ?? null,
      settings: { channelMap: project?.settings.channelMap ?? null },
    },
  });
  const save = useSave(project, onDone);
  const { errors } = form.formState;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void form.handleSubmit(save.mutate)(event)} className="grid gap-4">
        <p className="text-sm text-ink-soft">
          Calls live in projects, such as a line or a team. Each project scores its calls by a profile of its own, which
          you change under Profiles.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name of the project" error={errors.name?.message}>
            {(control) => (
              <Input {...control} {...form.register('name')} placeholder="Support line" autoComplete="off" />
            )}
          </Field>
          <LanguageField project={project} />
        </div>
        <ChannelMapField />
        <FormError error={save.error} />
        <StepActions onSkip={onSkip}>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            Save and go on
          </Button>
        </StepActions>
      </form>
    </FormProvider>
  );
}

function useSave(project: Project | null, onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const settle = useSettleStep();
  const options = {
    onSuccess() {
      settle.mutate({ key: 'project', as: 'confirmed' }, { onSuccess: onDone });
      void queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
    },
  };
  const create = useMutation(trpc.projects.create.mutationOptions(options));
  const update = useMutation(trpc.projects.update.mutationOptions({ ...options, ...useEdition(project) }));
  return {
    isPending: create.isPending || update.isPending || settle.isPending,
    error: create.error ?? update.error,
    mutate({ name, language, settings }: CreateProjectInput): void {
      const { channelMap } = settings;
      if (project) update.mutate({ id: project.id, name, language, settings: { channelMap } });
      else create.mutate({ name, language, settings: { channelMap } });
    },
  };
}
