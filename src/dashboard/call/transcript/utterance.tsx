import { clsx } from 'clsx';
import { MessageSquarePlus } from 'lucide-react';
import { memo } from 'react';
import { formatClock } from '../../lib/format.ts';
import { useCan } from '../../session/me.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useCall } from '../call-context.tsx';
import { AnnotationBadge } from '../notes/annotation-badge.tsx';
import type { Annotation } from '../notes/use-annotations.ts';
import type { Segment } from './segments.ts';
import type { Match } from './use-find.ts';
import { Words } from './words.tsx';

type Props = {
  segment: Segment;
  name: string | null;
  isActive: boolean;
  /** Whether somebody else spoke before, so the speaker is named. */
  isTurn: boolean;
  quote: string | null;
  matches: Match[];
  currentMatch: Match | null;
  notes: Annotation[] | undefined;
};

const roleLabels: Record<Segment['role'], string> = {
  agent: 'Agent',
  customer: 'Customer',
  ivr: 'System',
  unknown: 'Speaker',
};
const roleColours: Record<Segment['role'], string> = {
  agent: 'text-agent',
  customer: 'text-customer',
  ivr: 'text-ink-faint',
  unknown: 'text-ink-soft',
};
const bars: Record<Segment['role'], string> = {
  agent: 'bg-agent',
  customer: 'bg-customer',
  ivr: 'bg-line-strong',
  unknown: 'bg-line-strong',
};

export const Utterance = memo(function Utterance(props: Props) {
  const { segment, name, isActive, isTurn, quote, matches, currentMatch, notes } = props;
  const { goTo, annotate, analysis } = useCall();
  const can = useCan();
  const { id, role, startMs } = segment;
  return (
    <article
      className={clsx(
        'group relative flex gap-3 py-1 pr-12 pl-4 sm:pl-6',
        isTurn && 'pt-3',
        isActive && 'bg-accent-soft/60',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx('absolute inset-y-0 left-0 w-1', isActive ? bars[role] : 'bg-transparent')}
      />
      <button
        type="button"
        title="Go there"
        aria-label={`Play from ${formatClock(startMs)}`}
        onClick={() => goTo({ segmentId: id, startMs, isPlaying: true })}
        className={clsx(
          'h-6 w-11 shrink-0 rounded text-left text-xs text-ink-faint tabular-nums hover:text-accent-strong',
          isTurn && '-mt-1',
        )}
      >
        {formatClock(startMs)}
      </button>
      <div className="min-w-0 flex-1">
        {isTurn && (
          <p className={clsx('text-xs font-semibold', roleColours[role])}>
            {name ?? roleLabels[role]}
            {name && <span className="font-normal text-ink-faint"> · {roleLabels[role]}</span>}
            {segment.roleInferred && (
              <span
                className="font-normal text-ink-faint"
                title="Inferred from what is said: everybody speaks on one track"
              >
                {' '}
                · inferred
              </span>
            )}
          </p>
        )}
        <Words {...{ segment, quote, matches, currentMatch }} />
        {notes?.map((note) => (
          <p key={note.id} className="mt-1 mb-1 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-xs">
            <AnnotationBadge type={note.type} /> <span className="text-ink">{note.text}</span>{' '}
            <span className="text-ink-faint">{note.author.name}</span>
          </p>
        ))}
      </div>
      {analysis && can('annotations:write') && (
        <IconButton
          size="sm"
          label={`Add a note at ${formatClock(startMs)}`}
          onClick={() => annotate(segment)}
          icon={<MessageSquarePlus className="size-4" aria-hidden />}
          className="!absolute top-1 right-3 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        />
      )}
    </article>
  );
});
