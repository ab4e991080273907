import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import type { Role } from '../../model/role.ts';
import { messageOf, useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { InviteLink } from '../team/invite-link.tsx';
import { rolesToGive, roleWords } from '../team/roles.ts';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { StepActions, StepResult, type StepProps } from './step.tsx';
import { useRefreshFirstSteps } from './use-first-steps.ts';

export function InviteStep({ onDone, onSkip }: StepProps) {
  const [invited, setInvited] = useState<Outputs['users']['invite'] | null>(null);
  if (invited) return <Invited invited={invited} onDone={onDone} />;
  return <InviteForm onInvited={setInvited} onSkip={onSkip} />;
}

type FormProps = { onInvited: (invited: Outputs['users']['invite']) => void; onSkip: (() => void) | undefined };

function InviteForm({ onInvited, onSkip }: FormProps) {
  const trpc = useTRPC();
  const me = useMe();
  const queryClient = useQueryClient();
  const refresh = useRefreshFirstSteps();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('supervisor');
  const invite = useMutation(
    trpc.users.invite.mutationOptions({
      async onSuccess(user) {
        onInvited(user);
        await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() })]);
      },
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate({ email, role, projectIds: null });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Field label="E-mail address" error={invite.error ? messageOf(invite.error) : undefined}>
          {(control) => (
            <Input
              {...control}
              type="email"
              required
              maxLength={254}
              autoComplete="off"
              placeholder="name@company.com"
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                invite.reset();
              }}
            />
          )}
        </Field>
        <Field label="Role" hint={roleWords[role].description}>
          {(control) => (
            <Select {...control} value={role} onChange={(event) => setRole(event.target.value as Role)}>
              {rolesToGive(me.role).map((each) => (
                <option key={each} value={each}>
                  {roleWords[each].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <StepActions onSkip={onSkip}>
        <Button type="submit" variant="primary" isBusy={invite.isPending}>
          Invite
        </Button>
      </StepActions>
    </form>
  );
}

type InvitedProps = { invited: Outputs['users']['invite']; onDone: () => void };

/** Where people have accounts here, a link lets them choose a password; elsewhere they sign in with their provider. */
function Invited({ invited: { id, email }, onDone }: InvitedProps) {
  const { settings } = useRouteContext({ from: '__root__' });
  const hasAccounts = settings.signIn?.hasAccounts === true;
  const told = settings.hasMail ? 'A mail is on its way.' : 'This service sends no mail.';
  return (
    <div className="grid gap-4">
      <StepResult>
        {email} is invited, for 7 days. {told}
      </StepResult>
      {hasAccounts ? (
        <InviteLink id={id} />
      ) : (
        <CopyBlock label="An address to pass on yourself" value={`${location.origin}/sign-in`} />
      )}
      <StepActions onSkip={undefined}>
        <Button variant="primary" onClick={onDone}>
          Go on
        </Button>
      </StepActions>
    </div>
  );
}
