import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { CheckOption } from '../ui/check-option.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { ChannelMapField } from './channel-map-field.tsx';
import { LanguageField } from './language-field.tsx';
import type { Project, ProjectForm } from './project.ts';

export function ProjectFields({ project }: { project: Project | null }) {
  const { register, formState } = useFormContext<ProjectForm>();
  const { errors } = formState;
  return (
    <>
      <Field label="Name" error={errors.name?.message}>
        {(props) => <Input {...props} {...register('name')} placeholder="Support line" autoComplete="off" />}
      </Field>
      <Field label="Description" isOptional error={errors.description?.message}>
        {(props) => <Textarea {...props} {...register('description')} rows={2} className="!min-h-14" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <LanguageField project={project} />
        <ProfileField isNew={project === null} />
      </div>
      <fieldset className="grid gap-4 border-t border-line pt-4">
        <legend className="sr-only">Privacy</legend>
        <RedactionFields />
        <RetentionField />
        <ChannelMapField />
      </fieldset>
    </>
  );
}

function RedactionFields() {
  const { register, setValue, watch } = useFormContext<ProjectForm>();
  const isOn = watch('settings.redactPii') ?? false;
  const withData = register('settings.redactPii', {
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (!target.checked) setValue('settings.redactNames', false, { shouldDirty: true });
    },
  });
  return (
    <>
      <CheckOption
        {...withData}
        label="Redact personal data"
        hint="Card and account numbers, codes, passwords, ids, phone numbers, addresses, e-mail addresses and dates of birth are removed from new transcripts, and muted in recordings for everybody except owners and admins."
      />
      <CheckOption
        {...register('settings.redactNames')}
        disabled={!isOn}
        label="Redact names of customers as well"
        hint="Names of agents stay. Only together with personal data."
      />
    </>
  );
}

function ProfileField({ isNew }: { isNew: boolean }) {
  const trpc = useTRPC();
  const can = useCan();
  const { register, formState, getValues } = useFormContext<ProjectForm>();
  const profiles = useQuery(trpc.profiles.list.queryOptions({ pageSize: 100 }, { enabled: can('profiles:read') }));
  const current = getValues('profileId');
  const hint = isNew
    ? 'The rubric that its calls are scored by.'
    : 'New calls are scored by it. Earlier ones keep their score until they are re-analyzed.';
  return (
    <Field label="Profile" hint={hint} error={formState.errors.profileId?.message}>
      {(props) => (
        // Keyed by the data: a select cannot show a value before its option exists.
        <Select
          {...props}
          key={profiles.status}
          {...register('profileId', { setValueAs: (id: unknown) => (id === '' ? undefined : id) })}
        >
          {isNew && <option value="">The first profile</option>}
          {!profiles.data && current && <option value={current}>…</option>}
          {profiles.data?.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function RetentionField() {
  const { register, formState, watch } = useFormContext<ProjectForm>();
  const before = formState.defaultValues?.settings?.retentionDays ?? null;
  const now = watch('settings.retentionDays') ?? null;
  const isShorter = now !== null && now > 0 && (before === null || now < before);
  return (
    <div className="grid gap-2">
      <Field
        label="Keep recordings and transcripts for (days)"
        isOptional
        error={formState.errors.settings?.retentionDays?.message}
        hint="This many days after a call arrived, its recording, its transcript and everything that quotes them are deleted for good. Scores and figures stay. Leave empty to keep everything."
      >
        {(props) => (
          <Input
            {...props}
            {...register('settings.retentionDays', {
              setValueAs: (text: unknown) => (text === '' || text === null ? null : Number(text)),
            })}
            type="number"
            inputMode="numeric"
            min={1}
            max={3650}
            placeholder="No limit"
            className="!w-36 tabular-nums"
          />
        )}
      </Field>
      {isShorter && formState.dirtyFields.settings?.retentionDays && (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          Calls that are older than {now} {now === 1 ? 'day' : 'days'} lose their recording and transcript soon after
          you save. This cannot be undone.
        </p>
      )}
    </div>
  );
}
