import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import type { CallState, Target } from './call-context.tsx';
import type { Segment } from './transcript/segments.ts';
import { Player } from './player/player.ts';
import { findQuote, tokensOf } from './transcript/tokens.ts';
import type { CallRecord, useCallData } from './use-call-data.ts';
import { useIsWide } from './use-is-wide.ts';

type Options = {
  data: ReturnType<typeof useCallData>;
  record: CallRecord;
  startMs: number;
  annotate: (segment: Segment | null) => void;
};

/** State shared by the parts of the screen: the player, the highlight, and how to jump. */
export function useCallState({ data, record, startMs, annotate }: Options): CallState {
  const { ownAnalysis, transcript, waveform, moments, hasAudio, segments } = data;
  const [target, setTarget] = useState<Target | null>(null);
  const [openCheck, setOpenCheck] = useState<CallState['openCheck']>(null);
  const player = usePlayer({ record, hasAudio, startMs });
  useEffect(() => player.setSilences(moments.silences), [player, moments]);
  const showTranscript = useShowTab('transcript');
  const showScore = useShowTab('score');
  const goTo: CallState['goTo'] = ({ segmentId, quote = null, startMs, isPlaying = false, isTabKept = false }) => {
    setTarget((now) => ({ segmentId, quote, turn: (now?.turn ?? 0) + 1 }));
    if (!isTabKept) showTranscript();
    player.seek(spokenAt(segments, { segmentId, quote }) ?? startMs);
    if (isPlaying) player.play();
  };
  return {
    record,
    analysis: ownAnalysis,
    transcript: transcript.data,
    segments,
    hasAudio,
    waveform: waveform.data ?? null,
    durationMs: durationOf({ record, waveform: waveform.data, segments }),
    ...moments,
    player,
    target,
    goTo,
    openCheck,
    showCheck(key) {
      showScore();
      setOpenCheck((now) => ({ key, turn: (now?.turn ?? 0) + 1 }));
    },
    annotate,
  };
}

type PlayerOptions = { record: CallRecord; hasAudio: boolean; startMs: number };

function usePlayer({ record: { id }, hasAudio, startMs }: PlayerOptions): Player {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [player] = useState(() => new Player());
  useEffect(() => player.seek(startMs), [player, startMs]);
  useEffect(() => {
    if (!hasAudio) return;
    return player.attach(async () => {
      const { url } = await queryClient.fetchQuery(trpc.records.playback.queryOptions({ id }, { staleTime: 0 }));
      return url;
    });
  }, [player, hasAudio, id, queryClient, trpc]);
  return player;
}

/** In a narrow window, one tab hides the other; side by side, there is nothing to switch for the transcript. */
function useShowTab(tab: 'transcript' | 'score'): () => void {
  const navigate = useNavigate({ from: '/calls/$id' });
  const isWide = useIsWide();
  return useCallback(() => {
    if (isWide && tab === 'transcript') return;
    void navigate({ search: (now) => ({ ...now, tab }), replace: true });
  }, [navigate, isWide, tab]);
}

/** When the first word of a quote is said, which is more precise than the start of its utterance. */
function spokenAt(segments: readonly Segment[], { segmentId, quote }: Omit<Target, 'turn'>): number | null {
  const segment = segments.find(({ id }) => id === segmentId);
  const range = segment && quote !== null ? findQuote(segment.text, quote) : null;
  if (!segment || !range) return null;
  return tokensOf(segment).find(({ to }) => to > range.from)?.startMs ?? null;
}

type Lengths = {
  record: CallRecord;
  waveform: ReturnType<typeof useCallData>['waveform']['data'];
  segments: readonly Segment[];
};

/** From the best source. Never 0, since positions are shares of it. */
function durationOf({ record, waveform, segments }: Lengths): number {
  const known = waveform?.durationMs ?? (record.duration ?? 0) * 1000;
  return Math.max(1, known || (segments.at(-1)?.endMs ?? 0));
}
