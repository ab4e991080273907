import { useQuery } from '@tanstack/react-query';
import { Controller, useController, useFormContext } from 'react-hook-form';
import { useTRPC } from '../lib/trpc.ts';
import { CheckOption } from '../ui/check-option.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { spanInWords } from './condition-words.ts';
import type { RuleForm } from './rule-form.ts';

const cooldowns = [0, 300, 900, 3_600, 4 * 3_600, 86_400, 7 * 86_400];

export function RuleFields() {
  const trpc = useTRPC();
  const { register, control, formState } = useFormContext<RuleForm>();
  const { errors } = formState;
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  return (
    <>
      <Field label="Name" error={errors.name?.message}>
        {(props) => <Input {...props} {...register('name')} placeholder="Low score" autoComplete="off" />}
      </Field>
      <ConditionFields />
      <div className="grid gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="projectId"
          render={({ field: { value, onChange, ...rest } }) => (
            <Field label="In" error={errors.projectId?.message}>
              {(props) => (
                <Select
                  {...props}
                  {...rest}
                  value={value ?? ''}
                  onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
                >
                  <option value="">All projects</option>
                  {!projects.data && value && <option value={value}>…</option>}
                  {projects.data?.data.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        />
        <Field label="Severity" hint="For people; it changes nothing else." error={errors.severity?.message}>
          {(props) => (
            <Select {...props} {...register('severity')}>
              <option value="info">Info</option>
              <option value="warning">Warning</option>
              <option value="critical">Critical</option>
            </Select>
          )}
        </Field>
      </div>
      <ActionsField />
      <CooldownField />
    </>
  );
}

function ActionsField() {
  const { field } = useController<RuleForm, 'actions'>({ name: 'actions' });
  const chosen = field.value ?? [];
  const set = (action: 'email' | 'webhook', isOn: boolean): void =>
    field.onChange(isOn ? [...chosen, action] : chosen.filter((other) => other !== action));
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="float-left mb-2 text-xs font-medium text-ink-soft">
        When it fires, it is listed here, and
      </legend>
      <CheckOption
        label="an e-mail is sent"
        checked={chosen.includes('email')}
        onChange={({ target }) => set('email', target.checked)}
      />
      {chosen.includes('email') && <RecipientsField />}
      <CheckOption
        label="webhooks are notified"
        hint="Every webhook that subscribes to alert.triggered."
        checked={chosen.includes('webhook')}
        onChange={({ target }) => set('webhook', target.checked)}
      />
    </fieldset>
  );
}

function RecipientsField() {
  const { field, formState } = useController<RuleForm, 'recipients'>({ name: 'recipients' });
  const errors: unknown = formState.errors.recipients;
  return (
    <Field
      label="To"
      isOptional
      hint="One address per line. Left empty, owners and admins get it."
      error={addressFault(errors, field.value ?? [])}
      className="pl-6"
    >
      {(props) => (
        <Textarea
          {...props}
          ref={field.ref}
          rows={2}
          className="!min-h-14"
          defaultValue={(field.value ?? []).join('\n')}
          onBlur={field.onBlur}
          onChange={({ target }) => field.onChange(target.value.split(/[\s,;]+/u).filter((part) => part !== ''))}
        />
      )}
    </Field>
  );
}

/** The first invalid address. */
function addressFault(errors: unknown, addresses: string[]): string | undefined {
  if (!Array.isArray(errors)) return errors ? 'At most 20 addresses.' : undefined;
  const index = errors.findIndex(Boolean);
  return index < 0 ? undefined : `“${addresses[index] ?? ''}” is not an e-mail address.`;
}

function CooldownField() {
  const { field, fieldState } = useController<RuleForm, 'cooldownSeconds'>({ name: 'cooldownSeconds' });
  const { value = 0, onChange, ...rest } = field;
  const options = cooldowns.includes(value) ? cooldowns : [...cooldowns, value].sort((a, b) => a - b);
  return (
    <Field
      label="Then stay quiet for"
      hint="Keeps a bad hour from filling your inbox. Calls in that time are not listed either."
      error={fieldState.error?.message}
    >
      {(props) => (
        <Select {...props} {...rest} value={value} onChange={({ target }) => onChange(Number(target.value))}>
          {options.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? 'No time: every call counts' : spanInWords(seconds)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
