import { useEffect, useRef, useState, type RefObject } from 'react';
import { useCall } from '../call-context.tsx';
import type { Match } from './use-find.ts';
import type { UtteranceList } from './use-utterance-list.ts';

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);

type Options = {
  scroller: RefObject<HTMLDivElement | null>;
  list: UtteranceList;
  active: number;
  match: Match | null;
};

/** Keeps the current utterance in view until the user scrolls. Jumps are always shown. */
export function useFollow({ scroller, list, active, match }: Options) {
  const { segments, target } = useCall();
  const [isFollowing, setFollowing] = useState(true);
  const [seen, setSeen] = useState({ target, match });
  if (seen.target !== target || seen.match !== match) {
    setSeen({ target, match });
    setFollowing(seen.target !== target);
  }
  const show = useRef((index: number): void => list.scrollToIndex(index, { align: 'center' }));
  useEffect(() => {
    show.current = (index) => list.scrollToIndex(index, { align: 'center' });
  });
  useEffect(() => {
    if (isFollowing && active >= 0) show.current(active);
  }, [isFollowing, active]);
  useEffect(() => {
    if (!target) return;
    const index = segments.findIndex(({ id }) => id === target.segmentId);
    if (index >= 0) show.current(index);
  }, [target, segments]);
  useEffect(() => {
    if (match) show.current(match.index);
  }, [match]);
  useReaderScrolls(scroller, () => setFollowing(false));
  return { isFollowing, follow: () => setFollowing(true) };
}

/** Wheel, touch, scroll bar and keys, as opposed to programmatic scrolling. */
function useReaderScrolls(scroller: RefObject<HTMLDivElement | null>, onScroll: () => void): void {
  const told = useRef(onScroll);
  useEffect(() => {
    told.current = onScroll;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: true };
    const tell = (): void => told.current();
    element.addEventListener('wheel', tell, options);
    element.addEventListener('touchmove', tell, options);
    element.addEventListener('pointerdown', ({ target }) => target === element && tell(), options);
    element.addEventListener('keydown', ({ key }) => scrollKeys.has(key) && tell(), options);
    return () => abort.abort();
  }, [scroller]);
}
