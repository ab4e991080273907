import { useEffectEvent, useLayoutEffect } from 'react';
import { useCall, type CallState } from './call-context.tsx';
import { skipMs } from './player/player-bar.tsx';
import { segmentAt } from './transcript/segments.ts';
import { groupChecks } from './score/checks.ts';

type Keys = { onHelp: () => void };

/** Keyboard shortcuts for the whole screen, except in fields, open dialogs and controls that use the key themselves. */
export function useShortcuts({ onHelp }: Keys): void {
  const call = useCall();
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
    const act = actionOf(event.key, { call, onHelp });
    if (!act) return;
    event.preventDefault();
    act();
  });
  // In a layout effect, so that a key pressed immediately is not lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function actionOf(key: string, { call, onHelp }: { call: CallState } & Keys): (() => void) | null {
  const { player } = call;
  if (/^[1-9]$/.test(key)) return () => jumpToCheck(call, Number(key));
  switch (key) {
    case ' ':
      return player.toggle;
    case 'j':
      return () => stepUtterance(call, -1);
    case 'k':
      return () => stepUtterance(call, 1);
    case 'ArrowLeft':
      return () => player.seek(player.timeMs() - skipMs);
    case 'ArrowRight':
      return () => player.seek(Math.min(call.durationMs, player.timeMs() + skipMs));
    case '/':
      return () => document.getElementById('find-in-transcript')?.focus();
    case '?':
      return onHelp;
    default:
      return null;
  }
}

function stepUtterance({ segments, player, goTo }: CallState, by: 1 | -1): void {
  const next = segments[Math.max(0, segmentAt(segments, player.timeMs()) + by)];
  if (next) goTo({ segmentId: next.id, startMs: next.startMs });
}

function jumpToCheck({ analysis, showCheck, goTo }: CallState, number: number): void {
  const check = analysis && groupChecks(analysis).flatMap(({ checks }) => checks)[number - 1];
  if (!check) return;
  showCheck(check.key);
  const [first] = check.evidence;
  if (first) goTo({ ...first, isPlaying: true, isTabKept: true });
}

/** Notices are dialogs to a screen reader, but take no keys. */
const open = ':is([role=dialog], [role=alertdialog], [role=menu]):not([data-notice])';
const fields = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]';
const ownArrows = '[role=tablist], [role=menu], [role=radiogroup], input';
const pressed = 'button, a, summary, [role=tab], input';

function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector(open)) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(fields)) return true;
  if (key === ' ') return target.closest(pressed) !== null;
  return key.startsWith('Arrow') && target.closest(ownArrows) !== null;
}
