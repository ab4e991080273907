import { useNavigate, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';
import { formatClock } from '../lib/format.ts';
import { useMe } from '../session/me.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CallHeader } from './call-header.tsx';
import { CallProvider, useCall } from './call-context.tsx';
import { ContentDeleted } from './content-deleted.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { AnnotationDialog } from './notes/annotation-dialog.tsx';
import { NotesPanel } from './notes/notes-panel.tsx';
import { useAnnotations } from './notes/use-annotations.ts';
import type { Segment } from './transcript/segments.ts';
import { PlayerBar } from './player/player-bar.tsx';
import { Progress } from './progress.tsx';
import { ScorePanel } from './score/score-panel.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { TranscriptPanel } from './transcript/transcript.tsx';
import type { CallRecord, useCallData } from './use-call-data.ts';
import { useCallState } from './use-call-state.ts';
import { useIsWide } from './use-is-wide.ts';
import { useReanalysisNews } from './use-reanalysis-news.ts';
import { useShortcuts } from './use-shortcuts.ts';

type CallData = ReturnType<typeof useCallData>;
type Props = { data: CallData; record: CallRecord; startMs: number };

export function CallView({ data, record, startMs }: Props) {
  const [annotated, annotate] = useState<{ segment: Segment | null } | null>(null);
  const call = useCallState({ data, record, startMs, annotate: (segment) => annotate({ segment }) });
  const { session } = useMe();
  return (
    <CallProvider value={call}>
      <div
        data-fills-window
        className={clsx(
          'flex min-h-[42rem] flex-col',
          session.kind === 'frame' ? 'h-dvh' : 'h-[calc(100dvh-3.25rem)] lg:h-dvh',
        )}
      >
        <CallHeader />
        {record.status === 'completed' ? <Completed data={data} /> : <Progress record={record} />}
      </div>
      {annotated && <AnnotationDialog segment={annotated.segment} onClose={() => annotate(null)} />}
    </CallProvider>
  );
}

function Completed({ data }: { data: CallData }) {
  const isWide = useIsWide();
  const { hasAudio, record } = useCall();
  const [isHelping, setHelping] = useState(false);
  const transcript = <TranscriptOrNot data={data} />;
  useShortcuts({ onHelp: () => setHelping(true) });
  useReanalysisNews(record.id);
  return (
    <>
      {hasAudio && <PlayerBar onHelp={() => setHelping(true)} />}
      {record.file?.damage && <Damage missingMs={record.file.damage.missingMs} />}
      {isWide ? (
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_clamp(20rem,42%,28rem)]">
          {transcript}
          <div className="flex min-h-0 min-w-0 flex-col border-l border-line">
            <SideTabs data={data} />
          </div>
        </div>
      ) : (
        <SideTabs data={data} transcript={transcript} />
      )}
      {isHelping && <ShortcutsDialog onClose={() => setHelping(false)} />}
    </>
  );
}

function Damage({ missingMs }: { missingMs: number }) {
  return (
    <p role="status" className="bg-warn-soft px-4 py-2 text-xs text-warn sm:px-6">
      The recording is damaged: {formatClock(missingMs)} of it could not be read and is missing from transcript and
      scores.
    </p>
  );
}

type SideTabsProps = { data: CallData; transcript?: ReactNode };

/** Without room for both, the transcript becomes the first tab. */
function SideTabs({ data, transcript }: SideTabsProps) {
  const { tab } = useSearch({ from: '/app/calls/$id' });
  const navigate = useNavigate({ from: '/calls/$id' });
  const notes = useAnnotations().data?.meta.total;
  const { analysis } = data;
  const score = analysis.isError ? (
    <ErrorState error={analysis.error} onRetry={() => void analysis.refetch()} />
  ) : (
    <ScorePanel />
  );
  const first = transcript ? 'transcript' : 'score';
  return (
    <Tabs
      label="About the call"
      isFilling
      value={tab === undefined || (tab === 'transcript' && !transcript) ? first : tab}
      onChange={(next) => void navigate({ search: (now) => ({ ...now, tab: next }), replace: true })}
      tabs={[
        ...(transcript
          ? [{ value: 'transcript' as const, label: 'Transcript', content: transcript, isFlush: true }]
          : []),
        { value: 'score' as const, label: 'Score', content: score },
        { value: 'notes' as const, label: 'Notes', count: notes, content: <NotesPanel /> },
        { value: 'details' as const, label: 'Details', content: <DetailsPanel /> },
      ]}
    />
  );
}

function TranscriptOrNot({ data: { analysis, transcript, segments } }: { data: CallData }) {
  const { record } = useCall();
  if (record.contentDeletedAt !== null) return <ContentDeleted at={record.contentDeletedAt} />;
  if (segments.length === 0 && transcript.isError && !analysis.isPending) {
    return <ErrorState error={transcript.error} onRetry={() => void transcript.refetch()} />;
  }
  if (segments.length === 0 && transcript.isPending) return <SkeletonRows rows={10} className="h-16" />;
  return <TranscriptPanel />;
}
