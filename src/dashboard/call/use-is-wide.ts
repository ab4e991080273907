import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 64rem)');

/** Whether transcript and score fit side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}
