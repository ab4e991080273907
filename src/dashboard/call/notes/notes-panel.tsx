import { MessageSquarePlus, StickyNote } from 'lucide-react';
import { useCan } from '../../session/me.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { useCall } from '../call-context.tsx';
import { ReviewSection } from '../review/review-section.tsx';
import { AnnotationItem } from './annotation-item.tsx';
import { useAnnotations } from './use-annotations.ts';

/** What people say about the call: its review, and notes on segments. */
export function NotesPanel() {
  const { analysis, annotate } = useCall();
  const can = useCan();
  const notes = useAnnotations();
  if (!analysis) return <SkeletonRows />;
  return (
    <div className="grid gap-6">
      {analysis.status === 'completed' && <ReviewSection key={analysis.id} analysis={analysis} />}
      <section aria-label="Notes">
        <div className="mb-2 flex items-center justify-between gap-2">
          <h2 className="text-sm font-semibold">Notes</h2>
          {can('annotations:write') && (
            <Button
              size="sm"
              icon={<MessageSquarePlus className="size-3.5" aria-hidden />}
              onClick={() => annotate(null)}
            >
              Add a note
            </Button>
          )}
        </div>
        {notes.isPending && <SkeletonRows rows={2} />}
        {notes.isError && <ErrorState error={notes.error} onRetry={() => void notes.refetch()} />}
        {notes.data?.data.length === 0 && (
          <Empty icon={<StickyNote aria-hidden />} title="No notes yet" className="!py-8">
            Point at an utterance in the transcript to comment on it, or add a note on the whole call.
          </Empty>
        )}
        <ul className="grid gap-2">
          {notes.data?.data.map((note) => (
            <AnnotationItem key={note.id} note={note} />
          ))}
        </ul>
      </section>
    </div>
  );
}
