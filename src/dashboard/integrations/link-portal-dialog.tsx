import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';

const formId = 'link-portal';

export function LinkPortalDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const first = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const [domain, setDomain] = useState('');
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState<string>();
  const projectId = chosen ?? projects.data?.data[0]?.id ?? '';
  const link = useMutation(
    trpc.portals.link.mutationOptions({
      async onSuccess(portal) {
        toast.done(`${portal.domain} is linked`, 'Calls that start from now on are taken.');
        onClose();
        await queryClient.invalidateQueries({ queryKey: trpc.portals.pathKey() });
      },
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    link.mutate({ domain, code, projectId });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      initialFocus={first}
      title="Link a Bitrix24 portal"
      description="Open the app in the portal as its administrator: it shows the code, which is valid for 15 minutes."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={link.isPending} disabled={projectId === ''}>
            Link
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4 pb-2">
        <Field label="Domain of the portal">
          {(control) => (
            <Input
              {...control}
              ref={first}
              required
              maxLength={255}
              placeholder="acme.bitrix24.com"
              value={domain}
              onChange={(event) => setDomain(event.target.value)}
            />
          )}
        </Field>
        <Field label="Code">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={32}
              autoComplete="off"
              placeholder="K7QM-2XPA"
              className="font-mono uppercase"
              value={code}
              onChange={(event) => setCode(event.target.value.toUpperCase())}
            />
          )}
        </Field>
        <Field label="Project that takes the calls">
          {(control) => (
            <Select {...control} value={projectId} onChange={(event) => setChosen(event.target.value)}>
              {projects.data?.data.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FormError error={link.error} />
      </form>
    </Dialog>
  );
}
