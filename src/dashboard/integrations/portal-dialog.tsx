import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useEdition } from '../lib/edition.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';

const formId = 'portal';

type Props = { portal: Outputs['portals']['list']['data'][number]; onClose: () => void };

/** The project for its calls, their minimum length, and what is written back. */
export function PortalDialog({ portal, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const [projectId, setProjectId] = useState(portal.projectId ?? '');
  const [settings, setSettings] = useState(portal.settings);
  const { durationMinSeconds, writeBack } = settings;
  const update = useMutation(
    trpc.portals.update.mutationOptions({
      ...useEdition(portal),
      async onSuccess() {
        toast.done('The portal is changed');
        onClose();
        await queryClient.invalidateQueries({ queryKey: trpc.portals.pathKey() });
      },
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate({ id: portal.id, settings, ...(projectId && { projectId }) });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Settings of ${portal.domain}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={update.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4 pb-2">
        <Field label="Project that takes the calls" hint="Calls that were taken already stay where they are.">
          {(control) => (
            <Select {...control} value={projectId} onChange={(event) => setProjectId(event.target.value)}>
              {portal.projectId === null && <option value="">None yet</option>}
              {projects.data?.data.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Shortest call, in seconds" hint="Shorter ones are ignored.">
          {(control) => (
            <Input
              {...control}
              type="number"
              required
              min={0}
              max={3600}
              value={durationMinSeconds}
              onChange={({ target }) => setSettings({ ...settings, durationMinSeconds: target.valueAsNumber || 0 })}
            />
          )}
        </Field>
        <WriteBackField value={writeBack} onChange={(next) => setSettings({ ...settings, writeBack: next })} />
        <FormError error={update.error} />
      </form>
    </Dialog>
  );
}

type WriteBack = Props['portal']['settings']['writeBack'];

const told: Record<keyof WriteBack, string> = {
  comment: 'Score, compliance and a link, in the timeline',
  transcript: 'What was said',
};

function WriteBackField({ value, onChange }: { value: WriteBack; onChange: (value: WriteBack) => void }) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Written to the CRM for an analyzed call</legend>
      {(['comment', 'transcript'] as const).map((what) => (
        <label key={what} className="flex items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={value[what]}
            onChange={({ target }) => onChange({ ...value, [what]: target.checked })}
          />
          {told[what]}
        </label>
      ))}
    </fieldset>
  );
}
