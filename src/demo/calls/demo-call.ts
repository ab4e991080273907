import type { AudioFormat } from '../../providers/audio/formats.ts';
import type { Voice } from '../speak.ts';

/** One spoken line: who, what, and the silence before it (negative: into the other's words). */
export type Line = { by: 'agent' | 'customer'; text: string; pauseMs?: number };

/** A written call that the demo speaks, uploads and has analysed. */
export type DemoCall = {
  /** Stays the same for ever: a second start knows by it that the call is there already. */
  externalId: string;
  title: string;
  /** What a listener would say about it: shown beside what the analysis found. */
  story: string;
  agentName: string;
  customerPhone: string;
  voices: { agent: Voice; customer: Voice };
  format: AudioFormat;
  /** Hz: 8000 is a telephone line, 16000 a good internet call. */
  sampleRate: 8_000 | 16_000;
  lines: Line[];
};

export function agent(text: string, pauseMs?: number): Line {
  return pauseMs === undefined ? { by: 'agent', text } : { by: 'agent', text, pauseMs };
}

export function customer(text: string, pauseMs?: number): Line {
  return pauseMs === undefined ? { by: 'customer', text } : { by: 'customer', text, pauseMs };
}
