import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { ProjectsField } from './projects-field.tsx';
import { RoleField } from './role-field.tsx';
import { isLimitable, rolesToGive, type Member } from './roles.ts';

const formId = 'access';

/** Role and projects of a member or an open invite. */
export function AccessDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const me = useMe();
  const [role, setRole] = useState(member.role);
  const [projectIds, setProjectIds] = useState(member.projectIds);
  const isSelf = member.id === me.user.id;
  const update = useMutation(
    trpc.users.update.mutationOptions({
      onSuccess(user) {
        void queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() });
        toast.done(`Access of ${user.name ?? user.email} changed`);
        onClose();
        // The user's own navigation and rights depend on it.
        if (isSelf) location.reload();
      },
    }),
  );
  const needsProject = isLimitable(role) && projectIds?.length === 0;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!needsProject) update.mutate({ id: member.id, role, projectIds: isLimitable(role) ? projectIds : null });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Access of ${member.name ?? member.email}`}
      description="Takes effect with their next request."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={update.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className="grid gap-4 pb-2">
        <RoleField
          value={role}
          options={rolesToGive(me.role, isSelf ? me.role : undefined)}
          onChange={setRole}
          hint={isSelf ? 'This is you: you cannot undo a lower role yourself.' : undefined}
        />
        {isLimitable(role) && (
          <ProjectsField
            value={projectIds}
            onChange={setProjectIds}
            error={needsProject ? 'Choose at least one project, or all of them.' : undefined}
          />
        )}
        <FormError error={update.error} />
      </form>
    </Dialog>
  );
}
