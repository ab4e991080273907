import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatClock, formatDateTime } from '../../lib/format.ts';
import { useCan, useMe } from '../../session/me.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useCall } from '../call-context.tsx';
import { AnnotationBadge } from './annotation-badge.tsx';
import { AnnotationDialog } from './annotation-dialog.tsx';
import type { Annotation } from './use-annotations.ts';
import { useDeleteAnnotation } from './use-delete-annotation.ts';

export function AnnotationItem({ note }: { note: Annotation }) {
  const { goTo, segments } = useCall();
  const { type, text, author, createdAt, updatedAt, segmentId } = note;
  const segment = segments.find(({ id }) => id === segmentId);
  return (
    <li className="rounded-xl border border-line bg-surface px-3 py-2.5">
      <div className="flex items-start justify-between gap-2">
        <div className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
          <AnnotationBadge type={type} />
          {segment && (
            <button
              type="button"
              aria-label={`Show what was said at ${formatClock(segment.startMs)}`}
              onClick={() => goTo({ segmentId: segment.id, startMs: segment.startMs })}
              className="rounded px-1 py-0.5 font-medium text-accent-strong tabular-nums hover:bg-accent-soft"
            >
              {formatClock(segment.startMs)}
            </button>
          )}
          <span className="font-medium text-ink-soft">{author.name}</span>
          <time dateTime={createdAt.toISOString()} title={formatDateTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {updatedAt > createdAt && <span title={formatDateTime(updatedAt)}>changed</span>}
        </div>
        <OwnActions note={note} />
      </div>
      <p className="mt-1.5 text-sm break-words whitespace-pre-wrap">{text}</p>
    </li>
  );
}

/** Only the author may change it. */
function OwnActions({ note }: { note: Annotation }) {
  const { segments } = useCall();
  const { user } = useMe();
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const remove = useDeleteAnnotation();
  if (note.author.id !== user.id || !can('annotations:write')) return null;
  return (
    <div className="-mt-1 -mr-1 flex shrink-0">
      <IconButton
        size="sm"
        label="Change the note"
        onClick={() => setEditing(true)}
        icon={<Pencil className="size-3.5" aria-hidden />}
      />
      <IconButton
        size="sm"
        label="Delete the note"
        onClick={() => remove(note)}
        icon={<Trash2 className="size-3.5" aria-hidden />}
      />
      {isEditing && (
        <AnnotationDialog
          note={note}
          segment={segments.find(({ id }) => id === note.segmentId) ?? null}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}
