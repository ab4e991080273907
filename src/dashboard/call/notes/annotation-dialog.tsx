import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formatClock } from '../../lib/format.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCall } from '../call-context.tsx';
import type { Segment } from '../transcript/segments.ts';
import { annotationTypes } from './annotation-badge.tsx';
import { TypeChoice } from './type-choice.tsx';
import type { Annotation } from './use-annotations.ts';

type Props = {
  /** The segment that it is about; null for the whole call. */
  segment: Segment | null;
  /** The annotation to edit; absent for a new one. */
  note?: Annotation;
  onClose: () => void;
};

export function AnnotationDialog({ segment, note, onClose }: Props) {
  const { analysis } = useCall();
  const [type, setType] = useState<Annotation['type']>(note?.type ?? 'comment');
  const [text, setText] = useState(note?.text ?? '');
  const { create, update } = useAnnotationChanges(onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!analysis) return;
    const { id } = analysis;
    if (note) return update.mutate({ id, annotationId: note.id, type, text });
    const place = segment && { segmentId: segment.id, startMs: segment.startMs, endMs: segment.endMs };
    create.mutate({ id, type, text, ...place });
  };
  const title = segment ? `Note at ${formatClock(segment.startMs)}` : 'Note on the call';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={note ? 'Change the note' : title}
      description={segment && <q className="line-clamp-3">{segment.text}</q>}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form="note"
            isBusy={create.isPending || update.isPending}
            disabled={text.trim() === ''}
          >
            {note ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <form id="note" onSubmit={submit} className="grid gap-4">
        <TypeChoice value={type} onChange={setType} />
        <Field label="Note">
          {(control) => (
            <Textarea {...control} maxLength={5000} value={text} onChange={({ target }) => setText(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function useAnnotationChanges(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const changed = (title: string): Promise<void> => {
    onDone();
    toast.done(title);
    return queryClient.invalidateQueries({ queryKey: trpc.annotations.pathKey() });
  };
  const create = useMutation(
    trpc.annotations.create.mutationOptions({
      onSuccess: ({ type }) => changed(`${annotationTypes[type].label} added`),
      onError: (error) => toast.failed('The note was not added', error),
    }),
  );
  const update = useMutation(
    trpc.annotations.update.mutationOptions({
      onSuccess: () => changed('Note changed'),
      onError: (error) => toast.failed('The note was not changed', error),
    }),
  );
  return { create, update };
}
