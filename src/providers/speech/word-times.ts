import type { HeardWord } from './interface.ts';

/**
 * Reads the words of each utterance from a NIST CTM file (`utterance channel start duration word confidence`, seconds).
 * Skips fillers (`<sil>`, `[NOISE]`, `++BREATH++`); `read(2)` is a second pronunciation of `read`.
 */
export function readWordTimes(text: string): Map<string, HeardWord[]> {
  const byUtterance = new Map<string, HeardWord[]>();
  for (const line of text.split('\n')) {
    const [utterance, , start, duration, spelled, confidence] = line.trim().split(/\s+/);
    const startMs = Math.round(Number(start) * 1000);
    const endMs = startMs + Math.round(Number(duration) * 1000);
    const word = spelled?.replace(/\(\d+\)$/, '');
    if (!utterance || !word || !Number.isFinite(endMs) || /^(<.*>|\[.*\]|\+\+.*\+\+)$/.test(word)) continue;
    const words = byUtterance.get(utterance) ?? [];
    words.push({ text: word, startMs, endMs, confidence: readConfidence(confidence) });
    byUtterance.set(utterance, words);
  }
  for (const words of byUtterance.values()) words.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  return byUtterance;
}

function readConfidence(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? null : Math.max(0, Math.min(1, value));
}
