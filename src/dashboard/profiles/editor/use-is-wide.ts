import { useSyncExternalStore } from 'react';

const wide = matchMedia('(width >= 80rem)');

/** Whether the editor and the preview fit side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
