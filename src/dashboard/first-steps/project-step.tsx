import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { CreateProjectInput } from '../../domain/projects/schemas.ts';
import { useEdition } from '../lib/edition.ts';
import { languageOptions } from '../lib/languages.ts';
import { messageOf, useTRPC } from '../lib/trpc.ts';
import { ChannelMapField } from '../projects/channel-map-field.tsx';
import type { Project, ProjectForm } from '../projects/project.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { StepActions, type StepProps } from './step.tsx';
import { useSettleStep } from './use-first-steps.ts';
import '../lib/readable-messages.ts';

/** The first project, which every organization begins with. */
export function ProjectStep(props: StepProps) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 1 }));
  if (projects.isPending) return <Skeleton className="h-40" />;
  if (projects.isError) return <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />;
  const [project] = projects.data.data;
  return <ProjectStepForm key={project?.id} project={project ?? null} {...props} />;
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
          Calls live in projects, such as a line or a team. Each has a language and a rubric to score by.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name of the project" error={errors.name?.message}>
            {(control) => (
              <Input {...control} {...form.register('name')} placeholder="Support line" autoComplete="off" />
            )}
          </Field>
          <Field label="Language" error={errors.language?.message}>
            {(control) => (
              <Select
                {...control}
                {...form.register('language', { setValueAs: (text: unknown) => (text === '' ? null : text) })}
              >
                <option value="">Detected in each call</option>
                {languageOptions(project?.language).map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <ChannelMapField />
        {save.error && (
          <p role="alert" className="text-sm text-bad">
            {messageOf(save.error)}
          </p>
        )}
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
