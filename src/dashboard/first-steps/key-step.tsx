import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { curlExample } from '../api-keys/curl-example.ts';
import { daysFromNow, formatDate } from '../lib/format.ts';
import { messageOf, useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Field, Input } from '../ui/field.tsx';
import { StepActions, StepResult, type StepProps } from './step.tsx';
import { useRefreshFirstSteps } from './use-first-steps.ts';

const lifetimeDays = 90;

export function KeyStep({ onDone, onSkip }: StepProps) {
  const trpc = useTRPC();
  const { org } = useMe();
  const queryClient = useQueryClient();
  const refresh = useRefreshFirstSteps();
  const [name, setName] = useState('First key');
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: trpc.tokens.pathKey() })]),
    }),
  );
  const expiresAt = daysFromNow(lifetimeDays);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ name, expiresAt });
  };
  if (create.data) {
    return (
      <div className="grid gap-4">
        <StepResult>Copy your key now: it is shown only this once, and only a hash of it is stored.</StepResult>
        <CopyBlock label={`The key “${create.data.name}”`} value={create.data.token} />
        <CopyBlock
          label="Paste this into a terminal: your five newest calls"
          value={curlExample({ token: create.data.token, orgId: org.id })}
        />
        <StepActions onSkip={undefined}>
          <Button variant="primary" onClick={onDone}>
            I have stored it
          </Button>
        </StepActions>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-sm text-ink-soft">
        With an API key, your telephone system or CRM sends calls here and reads the scores. It can do what you can do,
        in this organization.
      </p>
      <Field
        label="Name of the key"
        hint={`Valid until ${formatDate(expiresAt)}. Under API keys you choose other dates, and revoke it.`}
        error={create.error ? messageOf(create.error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            required
            maxLength={120}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            className="sm:!w-96"
          />
        )}
      </Field>
      <StepActions onSkip={onSkip}>
        <Button type="submit" variant="primary" isBusy={create.isPending}>
          Create the key
        </Button>
      </StepActions>
    </form>
  );
}
