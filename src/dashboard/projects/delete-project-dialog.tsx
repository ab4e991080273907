import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import type { Project } from './project.ts';

/** The service refuses to delete a project with calls unless it is told to; that requires typing the name. */
export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { id, name, recordCount } = project;
  const [typed, setTyped] = useState('');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.projects.delete.mutationOptions({
      async onSuccess() {
        await Promise.all(
          [trpc.projects.pathKey(), trpc.records.pathKey()].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        );
        toast.done(`Project “${name}” and its calls deleted`);
        onClose();
      },
      onError: (error) => toast.failed('The project was not deleted', error),
    }),
  );
  const isConfirmed = typed.trim() === name;
  const calls = recordCount === 1 ? '1 call' : `${formatNumber(recordCount)} calls`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete “${name}”?`}
      description={recordCount > 0 ? `This project still has ${calls}.` : 'This project has calls by now.'}
      footer={
        <>
          <Button onClick={onClose}>Keep the project</Button>
          <Button
            variant="danger"
            disabled={!isConfirmed}
            isBusy={remove.isPending}
            onClick={() => remove.mutate({ id, force: true })}
          >
            Delete project and calls
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex gap-3 rounded-lg bg-bad-soft p-3 text-sm">
          <TriangleAlert className="size-4 shrink-0 translate-y-0.5 text-bad" aria-hidden />
          <p>
            Deleting it deletes these calls with it: recordings, transcripts, analyses, reviews and annotations. This
            cannot be undone. What they cost stays in your bills.
          </p>
        </div>
        <Field label={`Type “${name}” to confirm`}>
          {(props) => (
            <Input {...props} value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
