import { formatAgo, formatClock, formatDateTime } from '../../lib/format.ts';
import { useCall } from '../call-context.tsx';
import { AnnotationBadge } from './annotation-badge.tsx';
import type { Annotation } from './use-annotations.ts';

export function AnnotationItem({ note }: { note: Annotation }) {
  const { goTo, segments } = useCall();
  const { type, text, author, createdAt, segmentId } = note;
  const segment = segments.find(({ id }) => id === segmentId);
  return (
    <li className="rounded-xl border border-line bg-surface px-3 py-2.5">
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
      </div>
      <p className="mt-1.5 text-sm break-words whitespace-pre-wrap">{text}</p>
    </li>
  );
}
