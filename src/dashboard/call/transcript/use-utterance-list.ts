import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { Segment } from './segments.ts';

const overscan = 6;

export function useUtteranceList(segments: Segment[], scroller: RefObject<HTMLDivElement | null>) {
  return useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => segments[index]?.id ?? index,
    estimateSize: (index) => estimatedHeight(segments[index], scroller.current?.clientWidth),
    overscan,
    paddingEnd: 48,
  });
}

const characterPx = 7.2;
const marginsPx = 96;
const linePx = 23;

/** Accurate enough to keep the scroll bar from jumping when heights are measured. */
function estimatedHeight(segment: Segment | undefined, widthPx = 640): number {
  const perLine = Math.max(20, (widthPx - marginsPx) / characterPx);
  return 34 + Math.ceil((segment?.text.length ?? 0) / perLine) * linePx;
}

export type UtteranceList = ReturnType<typeof useUtteranceList>;
