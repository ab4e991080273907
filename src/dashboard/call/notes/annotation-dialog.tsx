import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formatClock } from '../../lib/format.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCall } from '../call-context.tsx';
import type { Segment } from '../player/moments.ts';
import { annotationTypes } from './annotation-badge.tsx';
import { TypeChoice } from './type-choice.tsx';
import type { Annotation } from './use-annotations.ts';

type Props = { segment: Segment | null; onClose: () => void };

/** A new note beside an utterance, or on the whole call. */
export function AnnotationDialog({ segment, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { analysis } = useCall();
  const [type, setType] = useState<Annotation['type']>('comment');
  const [text, setText] = useState('');
  const create = useMutation(
    trpc.annotations.create.mutationOptions({
      onSuccess() {
        onClose();
        toast.done(`${annotationTypes[type].label} added`);
        return queryClient.invalidateQueries({ queryKey: trpc.annotations.pathKey() });
      },
      onError: (error) => toast.failed('The note was not added', error),
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!analysis) return;
    const place = segment && { segmentId: segment.id, startMs: segment.startMs, endMs: segment.endMs };
    create.mutate({ id: analysis.id, type, text, ...place });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={segment ? `Note at ${formatClock(segment.startMs)}` : 'Note on the call'}
      description={segment && <q className="line-clamp-3">{segment.text}</q>}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="note" isBusy={create.isPending} disabled={text.trim() === ''}>
            Add
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
