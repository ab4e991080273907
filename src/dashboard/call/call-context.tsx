import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Segment } from './transcript/segments.ts';
import type { Player, PlayerState } from './player/player.ts';
import type { Analysis, CallRecord, Moments, Transcript, Waveform } from './use-call-data.ts';

export type Evidence = Analysis['checks'][number]['evidence'][number];
/** The highlighted utterance, and the quote in it. `turn` distinguishes repeated jumps to the same one. */
export type Target = { segmentId: string; quote: string | null; turn: number };

export type JumpTarget = {
  segmentId: string;
  startMs: number;
  quote?: string;
  isPlaying?: boolean;
  /** Keeps the current tab in a narrow window. */
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
  /** Scrolls to an utterance and highlights it; plays it on request. */
  goTo: (place: JumpTarget) => void;
  /** The check that was opened last. `turn` distinguishes repeated openings of the same one. */
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

/** A value derived from the time. Rerenders only when it changes, so it must be a string, number or boolean. */
export function useAtTime<T extends string | number | boolean>(select: (timeMs: number) => T): T {
  const { player } = useCall();
  return useSyncExternalStore(player.subscribe, () => select(player.timeMs()));
}
