import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { messageOf, useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { StepActions, type StepProps } from './step.tsx';
import { useSettleStep } from './use-first-steps.ts';

export function OrganizationStep({ onDone, onSkip }: StepProps) {
  const trpc = useTRPC();
  const { org } = useMe();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [name, setName] = useState(org.name);
  const settle = useSettleStep();
  const confirm = (): void => settle.mutate({ key: 'organization', as: 'confirmed' }, { onSuccess: onDone });
  const rename = useMutation(
    trpc.orgs.update.mutationOptions({
      async onSuccess() {
        confirm();
        await queryClient.invalidateQueries({ queryKey: trpc.me.pathKey() });
        await router.invalidate();
      },
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === org.name) confirm();
    else rename.mutate({ name });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label="Name of the organization"
        hint="Colleagues see it in their invites, and above every screen."
        error={rename.error ? messageOf(rename.error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            required
            maxLength={120}
            autoComplete="organization"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              rename.reset();
            }}
            className="sm:!w-96"
          />
        )}
      </Field>
      <StepActions onSkip={onSkip}>
        <Button type="submit" variant="primary" isBusy={rename.isPending || settle.isPending}>
          Save and go on
        </Button>
      </StepActions>
    </form>
  );
}
