import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import { faultsWithName } from '../lib/faults.ts';
import { formatPercent } from '../lib/format.ts';
import { languageName } from '../lib/languages.ts';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { CheckOption } from '../ui/check-option.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { counted, templateTitles, type Template, type TemplateKey } from './words.ts';

/** Creates a profile from a template in the languages of the calls. */
export function NewProfileDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const templates = useQuery(trpc.profiles.templates.queryOptions({}, { staleTime: Infinity }));
  const [key, setKey] = useState<TemplateKey>('service');
  const [name, setName] = useState<string | null>(null);
  const [languages, setLanguages] = useState<string[]>(['en']);
  const create = useCreate();
  const template = templates.data?.data.find((each) => each.key === key);
  const fault = faultsWithName(create.error).find(({ path }) => path === 'name')?.message;
  const toggle = (language: string, isOn: boolean): void =>
    setLanguages(isOn ? [...languages, language] : languages.filter((other) => other !== language));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title="New profile"
      description="Begin with a ready-made rubric; everything in it can be changed."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!template || languages.length === 0}
            isBusy={create.isPending}
            onClick={() => create.mutate({ template: key, languages, ...(name?.trim() && { name: name.trim() }) })}
          >
            Create and edit
          </Button>
        </>
      }
    >
      {templates.isPending && <SkeletonRows rows={4} className="h-20" />}
      {templates.isError && <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.data && (
        <div className="grid grid-cols-1 gap-4 pb-1">
          <fieldset className="min-w-0 grid gap-2 sm:grid-cols-2">
            <legend className="mb-1.5 text-xs font-medium text-ink-soft">Template</legend>
            {templates.data.data.map((each) => (
              <TemplateOption key={each.key} template={each} isChosen={each.key === key} onChoose={setKey} />
            ))}
          </fieldset>
          <fieldset>
            <legend className="mb-1.5 text-xs font-medium text-ink-soft">Languages of the calls</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-2">
              {template?.languages.map((language) => (
                <CheckOption
                  key={language}
                  label={languageName(language)}
                  checked={languages.includes(language)}
                  onChange={({ target }) => toggle(language, target.checked)}
                />
              ))}
            </div>
          </fieldset>
          <Field label="Name" error={fault}>
            {(props) => (
              <Input
                {...props}
                value={name ?? template?.name ?? ''}
                maxLength={120}
                autoComplete="off"
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </div>
      )}
    </Dialog>
  );
}

type OptionProps = { template: Template; isChosen: boolean; onChoose: (key: TemplateKey) => void };

function TemplateOption({ template, isChosen, onChoose }: OptionProps) {
  const { key, description, categories, compliance } = template;
  const total = categories.reduce((sum, { weight }) => sum + weight, 0);
  const checks = categories.reduce((count, category) => count + category.checks.length, 0);
  return (
    <label
      className={clsx(
        'grid cursor-pointer content-start gap-1 rounded-xl border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:bg-raised',
      )}
    >
      <span className="flex items-center gap-2 text-sm font-semibold">
        <input
          type="radio"
          name="template"
          checked={isChosen}
          onChange={() => onChoose(key)}
          className="size-4 accent-accent"
        />
        {templateTitles[key]}
      </span>
      <span className="text-xs text-ink-soft">{description}</span>
      <span className="text-xs text-ink-soft tabular-nums">
        {categories.map(({ title, weight }) => `${title} ${formatPercent(weight / total)}`).join(' · ')}
      </span>
      <span className="text-xs text-ink-soft">
        {counted(checks, 'check')}, {counted(compliance.length, 'compliance rule')}
      </span>
    </label>
  );
}

function useCreate() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation(
    trpc.profiles.create.mutationOptions({
      onSuccess(profile) {
        void queryClient.invalidateQueries({ queryKey: trpc.profiles.list.pathKey() });
        void navigate({ to: '/profiles/$id', params: { id: profile.id } });
      },
      onError(error) {
        if (faultsWithName(error).length === 0) toast.failed('The profile was not created', error);
      },
    }),
  );
}
