import type { Line } from '../../model/question.ts';
import type { CallFacts } from '../facts/facts.ts';
import { SILENCE_MS } from '../detectors/hold.ts';

export function linesOf({ conversation, measurements }: CallFacts): Line[] {
  const silences = measurements.silences.filter(({ startMs, endMs }) => endMs - startMs > SILENCE_MS);
  return conversation.spoken.map(({ segment, role }, index) => {
    const silence = silences.find(({ endMs }) => endMs === segment.startMs);
    return {
      number: index + 1,
      role,
      startMs: segment.startMs,
      text: segment.text,
      silenceSeconds: silence ? Math.round((silence.endMs - silence.startMs) / 1000) : null,
    };
  });
}
