import type { Cue } from './transcript-cues.ts';
import { isKnownLabel, isSameName } from './speaker-labels.ts';

/** Speech with its speaker's label; null if nothing tells who it is. */
export type Utterance = { startMs: number; endMs: number; label: string | null; text: string };

type LabelledText = { label: string | null; text: string };

/** A dash or `>>`, then `[Label]` or `Label:`. What looks like a label may still be speech (`Remember: …`). */
const labelPattern =
  /^\s*(?:[-–—>]+\s*)?(?:[[(]\s*([\p{L}][^\][():\n]{0,59})\s*[\])]\s*(:?)|([\p{L}][\p{L}\p{N} .,'’_#&()[\]/-]{0,59}):)(\s*)/u;

/** Assigns speakers to cues by voice tags, or by labels before the text (`Agent: …`, `- Ann: …`, `[Agent] …`). */
export function labelCues(cues: readonly Cue[], agentName: string | null): Utterance[] {
  const accepts = labelJudge(cues, agentName);
  let speaker: string | null = null;
  return cues.flatMap(({ startMs, endMs, parts }) => {
    const texts = parts.flatMap(({ voice, text }): LabelledText[] => {
      if (voice !== null) return [{ label: voice, text: oneLine(text) }];
      const lines = splitLabels(text, { accepts, speaker });
      speaker = lines.at(-1)?.label ?? speaker;
      return lines;
    });
    return shareTime(texts, startMs, endMs);
  });
}

type LabelRules = { accepts: (label: string) => boolean; speaker: string | null };

/** Splits a text at lines that begin with a label. A label applies until the next one. */
function splitLabels(text: string, { accepts, speaker }: LabelRules): LabelledText[] {
  const found: { label: string | null; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const label = findLabel(line);
    const isLabelled = label !== null && accepts(label.label);
    const last = found.at(-1);
    if (isLabelled) found.push({ label: label.label, lines: [label.rest] });
    else if (last) last.lines.push(line);
    else found.push({ label: speaker, lines: [line] });
  }
  return found.map(({ label, lines }) => ({ label, text: oneLine(lines.join(' ')) })).filter(({ text }) => text !== '');
}

function findLabel(line: string): { label: string; rest: string } | null {
  const match = labelPattern.exec(line);
  if (!match) return null;
  const [whole, bracketed, colon, plain, space] = match;
  const label = (bracketed ?? plain ?? '').trim();
  const rest = line.slice(whole.length);
  // `[noise] hello` and `it's 10:30` are speech: brackets without a colon, or a colon without a space after it, count
  // only with a known label.
  const isPlain = plain !== undefined ? space !== '' || rest === '' : colon === ':';
  return isPlain || isKnownLabel(label) ? { label, rest } : null;
}

/**
 * Decides what counts as a label. Words for a role, numbered speakers and the agent's own name always do; another name
 * does if it recurs, or if most of the text is labelled.
 */
function labelJudge(cues: readonly Cue[], agentName: string | null): (label: string) => boolean {
  const counts = new Map<string, number>();
  const isSure = (label: string) => isKnownLabel(label) || (agentName !== null && isSameName(label, agentName));
  let labelled = 0;
  let total = 0;
  for (const { parts } of cues) {
    for (const { voice, text } of parts) {
      if (voice !== null) continue;
      total += 1;
      const found = text.split('\n').flatMap((line) => findLabel(line)?.label ?? []);
      const labels = found.filter((label) => isSure(label) || isNameLike(label));
      if (labels.length > 0) labelled += 1;
      for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  const isMostlyLabelled = labelled * 2 >= total;
  return (label) => isSure(label) || (isNameLike(label) && (isMostlyLabelled || (counts.get(label) ?? 0) > 1));
}

function isNameLike(label: string): boolean {
  const words = label.split(/\s+/);
  return words.length <= 4 && words.every((word) => /^[\p{Lu}\p{Lo}\p{N}(#]/u.test(word));
}

/** Several speakers in one cue share its time in proportion to the length of their texts. */
function shareTime(texts: LabelledText[], startMs: number, endMs: number): Utterance[] {
  const total = texts.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  const timeAt = (length: number) => startMs + Math.round(((endMs - startMs) * length) / total);
  return texts.map(({ label, text }) => {
    const from = before;
    before += text.length;
    return { label, text, startMs: timeAt(from), endMs: timeAt(before) };
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
