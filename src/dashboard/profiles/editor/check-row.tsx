import { ChevronRight, CircleAlert } from 'lucide-react';
import { clsx } from 'clsx';
import { formatPercent } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { AnswerBadge } from '../preview/answer-badge.tsx';
import { kinds } from '../words.ts';
import { CheckFields } from './check-fields.tsx';
import { shareOf, type DraftCheck } from './draft.ts';
import { hasFault, useEditor } from './editor-context.tsx';
import { moveByKey, RowControls } from './row-controls.tsx';

type Props = {
  check: DraftCheck;
  siblings: DraftCheck[];
  index: number;
  path: string;
  onChange: (check: DraftCheck) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

/** One line, which opens to all that the check is made of. */
export function CheckRow({ check, siblings, index, path, onChange, onMove, onRemove }: Props) {
  const { openUids, toggle, preview, faults, showsAll, isReadOnly } = useEditor();
  const isOpen = openUids.has(check.uid);
  const answer = preview?.checks.find(({ key }) => key === check.key)?.answer;
  const title = check.title || 'Untitled check';
  return (
    <li data-uid={check.uid} className="border-t border-line">
      <div className="flex items-center gap-1 pr-2 hover:bg-raised/60">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => toggle(check.uid)}
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
          {check.critical && <Badge tone="bad">Critical</Badge>}
          <Badge className="hidden sm:inline-flex">{kinds[check.kind]}</Badge>
          <span className="w-10 text-right text-xs text-ink-soft tabular-nums" title="Share of the category">
            {formatPercent(shareOf(check.weight, siblings))}
          </span>
          {answer && <AnswerBadge answer={answer} />}
        </button>
        <RowControls
          name={title}
          isFirst={index === 0}
          isLast={index === siblings.length - 1}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      {isOpen && <CheckFields check={check} path={path} onChange={onChange} />}
    </li>
  );
}
