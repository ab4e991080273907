import { clsx } from 'clsx';
import { ChevronRight, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckAnswer } from '../../../model/scorecard.ts';
import { Badge } from '../../ui/badge.tsx';
import { AnswerBadge } from '../preview/answer-badge.tsx';
import { hasFault, useEditor } from './editor-context.tsx';
import { moveByKey, RowControls } from './row-controls.tsx';

type Props = {
  uid: string;
  title: string;
  /** Path of the row's part of the rubric, as in messages: `compliance.0`. */
  path: string;
  index: number;
  /** Number of rows in its list. */
  count: number;
  /** Its answer in the preview. */
  answer: CheckAnswer | undefined;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  /** Shown between the title and the answer. */
  badges: ReactNode;
  className?: string;
  /** Shown while the row is open. */
  children: ReactNode;
};

/** A row of a rubric that expands to all its fields. */
export function ExpandableRow(props: Props) {
  const { uid, title, path, index, count, answer, onMove, onRemove, badges, className, children } = props;
  const { openUids, toggle, faults, showsAll, isReadOnly } = useEditor();
  const isOpen = openUids.has(uid);
  return (
    <li data-uid={uid} className={clsx('border-t border-line', className)}>
      <div className="flex items-center gap-1 pr-2 hover:bg-raised/60">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => toggle(uid)}
          onKeyDown={isReadOnly ? undefined : moveByKey(onMove)}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 py-2 pl-3 text-left focus-visible:-outline-offset-2"
        >
          <ChevronRight
            className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
            aria-hidden
          />
          <span className="min-w-0 flex-1 basis-32 truncate font-medium">{title}</span>
          {showsAll && hasFault(faults, path) && (
            <Badge tone="bad" icon={<CircleAlert aria-hidden />}>
              Look here
            </Badge>
          )}
          {badges}
          {answer && <AnswerBadge answer={answer} />}
        </button>
        <RowControls
          name={title}
          isFirst={index === 0}
          isLast={index === count - 1}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      {isOpen && children}
    </li>
  );
}
