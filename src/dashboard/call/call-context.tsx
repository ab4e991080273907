import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Segment } from './transcript/segments.ts';
import type { Player, PlayerState } from './player/player.ts';
import type { Analysis, CallRecord, Moments, Transcript, Waveform } from './use-call-data.ts';

export type Evidence = Analysis['checks'][number]['evidence'][number];
/** What is looked at: an utterance, and the words in it that support an answer. `turn` tells one look from the next. */
export type Target = { segmentId: string; quote: string | null; turn: number };

export type JumpTarget = {
  segmentId: string;
  startMs: number;
  quote?: string;
  isPlaying?: boolean;
  /** In a narrow window, leaves the reader where they are. */
  isTabKept?: boolean;
};

export type CallState = {
  record: CallRecord;
  analysis: Analysis | null;
  transcript: Transcript | undefined;
  segments: Segment[];
  hasAudio: boolean;
  waveform: Waveform | null;
  durationMs: number;
  silences: Moments['silences'];
  interruptions: Moments['interruptions'];
  player: Player;
  target: Target | null;
  /** Shows an utterance and goes there; plays it where that is asked for. */
  goTo: (place: JumpTarget) => void;
  /** The check that was called up last. `turn` tells one call from the next. */
  openCheck: { key: string; turn: number } | null;
  showCheck: (key: string) => void;
  annotate: (segment: Segment | null) => void;
};

const CallContext = createContext<CallState | null>(null);
export const CallProvider = CallContext.Provider;

export function useCall(): CallState {
  const call = useContext(CallContext);
  if (!call) throw new Error('useCall needs a call.');
  return call;
}

export function usePlayerState(): PlayerState {
  const { player } = useCall();
  return useSyncExternalStore(player.subscribe, player.state);
}

/** Something that follows from the time. Draws anew only when it changes, so it must be a string, number or boolean. */
export function useAtTime<T extends string | number | boolean>(select: (timeMs: number) => T): T {
  const { player } = useCall();
  return useSyncExternalStore(player.subscribe, () => select(player.timeMs()));
}
