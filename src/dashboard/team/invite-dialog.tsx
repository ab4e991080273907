import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useRouteContext } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import type { Role } from '../../model/role.ts';
import { messageOf, statusOf, useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';
import { InviteLink } from './invite-link.tsx';
import { ProjectsField } from './projects-field.tsx';
import { RoleField } from './role-field.tsx';
import { isLimitable, rolesToGive } from './roles.ts';

const formId = 'invite';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const first = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const me = useMe();
  const { settings } = useRouteContext({ from: '__root__' });
  /** The link is then what is left to do. */
  const isByLink = !settings.hasMail && settings.signIn?.hasAccounts === true;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const [projectIds, setProjectIds] = useState<string[] | null>(null);
  const invite = useMutation(
    trpc.users.invite.mutationOptions({
      onSuccess(user) {
        void queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() });
        if (isByLink) return;
        const told = settings.hasMail ? 'A mail is on its way.' : 'Tell them to sign in: this service sends no mail.';
        toast.done(`${user.email} is invited`, `${told} The invite is valid for 7 days.`);
        onClose();
      },
    }),
  );
  const needsProject = isLimitable(role) && projectIds?.length === 0;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!needsProject) invite.mutate({ email, role, projectIds: isLimitable(role) ? projectIds : null });
  };
  if (invite.data && isByLink) return <InvitedDialog invited={invite.data} onClose={onClose} />;
  const isAboutAddress = [400, 409].includes(statusOf(invite.error) ?? 0);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      initialFocus={first}
      title="Invite to the team"
      description="They join the organization when they sign in with this address."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            isBusy={invite.isPending}
            icon={<Send className="size-4" aria-hidden />}
          >
            Send invite
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-4 pb-2">
        <Field label="E-mail address" error={invite.error && isAboutAddress ? messageOf(invite.error) : undefined}>
          {(control) => (
            <Input
              {...control}
              ref={first}
              type="email"
              required
              autoComplete="off"
              maxLength={254}
              placeholder="name@company.com"
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                invite.reset();
              }}
            />
          )}
        </Field>
        <RoleField value={role} options={rolesToGive(me.role)} onChange={setRole} />
        {isLimitable(role) && (
          <ProjectsField
            value={projectIds}
            onChange={setProjectIds}
            error={needsProject ? 'Choose at least one project, or all of them.' : undefined}
          />
        )}
        {!isAboutAddress && <FormError error={invite.error} />}
      </form>
    </Dialog>
  );
}

/** Where no mail is sent, and people have accounts here. */
function InvitedDialog({
  invited: { id, email },
  onClose,
}: {
  invited: { id: string; email: string };
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${email} is invited`}
      description="For 7 days. This service sends no mail, so the link is yours to pass on."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-4 pb-2">
        <InviteLink id={id} />
      </div>
    </Dialog>
  );
}
