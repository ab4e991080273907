import type { AudioFormat } from '../../providers/audio/formats.ts';
import type { Voice } from '../speak.ts';

/** One spoken line: who, what, and the pause before it (negative: it overlaps the line before). */
export type Line = { by: 'agent' | 'customer'; text: string; pauseMs?: number };

/** A scripted call that the demo speaks, uploads and has analysed. */
export type DemoCall = {
  /** Never changes: a second start recognizes existing calls by it. */
  externalId: string;
  title: string;
  /** What a listener would say about it; shown beside the result of the analysis. */
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
